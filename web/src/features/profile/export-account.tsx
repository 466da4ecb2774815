import { Download } from 'lucide-react';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../api/client';
import { exportAccount } from '../../api/mutations';
import { download } from '../../lib/download';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';

/** Downloads everything that is stored about the signed-in user. */
export function ExportAccount() {
  const copy = useMutation({
    mutationFn: async () => {
      const text = JSON.stringify(await exportAccount(), null, 2);
      download(new File([text], 'proof-of-reserves.json', { type: 'application/json' }));
    },
  });
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <p className="min-w-0 flex-1 basis-64 text-sm text-muted">A file with everything this site stores about you.</p>
        <Button look="secondary" disabled={copy.isPending} onClick={() => copy.mutate()}>
          <Download className="size-4" aria-hidden="true" />
          Download My Data
        </Button>
      </div>
      {copy.isError && (
        <Notice tone="danger" role="alert" className="mb-6">
          <p>{messageOf(copy.error, 'Failed to download your data.')}</p>
        </Notice>
      )}
    </>
  );
}
