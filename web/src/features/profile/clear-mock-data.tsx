import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../api/client';
import { clearMockProofs } from '../../api/mutations';
import { Button } from '../../ui/button';

/** Development only: forgets the mock proof, then starts afresh. */
export function ClearMockData({ userId }: { userId: string }) {
  const clear = useMutation({ mutationFn: () => clearMockProofs(userId), onSuccess: () => window.location.reload() });
  return (
    <>
      <Button look="secondary" disabled={clear.isPending} onClick={() => clear.mutate()}>
        Clear Mock Data
      </Button>
      {clear.isError && (
        <p role="alert" className="text-sm text-danger">
          {messageOf(clear.error, 'An unknown error occurred')}
        </p>
      )}
    </>
  );
}
