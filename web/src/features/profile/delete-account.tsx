import { useEffect, useRef, useState } from 'react';
import { Trash2 } from 'lucide-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { ApiError, messageOf, UserFacingError } from '../../api/client';
import { deleteAccount } from '../../api/mutations';
import { PROFILES_KEY } from '../../api/queries';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Notice } from '../../ui/notice';
import { useSession } from '../session/context';
import { dropSession } from '../session/drop';
import { beginLeaving, endLeaving } from '../session/wanted';
import { ReceiptButton } from '../board-log/receipt-button';
import { AccountRow } from './account-row';
import { ExportAccount } from './export-account';

const REDIRECT_MS = 2000;
const NOT_SIGNED_IN = 'You must be signed in to manage your subscription.';

/** Deletes the account after a question, then signs out and leaves for the start page. */
export function DeleteAccount({ onLeaving }: { onLeaving: (leaving: boolean) => void }) {
  const { isAuthenticated, logout } = useSession();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const removal = useMutation({
    mutationFn: async () => {
      if (!isAuthenticated) throw new UserFacingError(NOT_SIGNED_IN);
      onLeaving(true);
      // From here on the end of the session needs no message.
      beginLeaving();
      await queries.cancelQueries({ queryKey: PROFILES_KEY });
      try {
        await deleteAccount();
      } catch (error) {
        endLeaving();
        throw error instanceof ApiError && error.status === 401 ? new UserFacingError(NOT_SIGNED_IN) : error;
      }
    },
    onError: () => onLeaving(false),
  });
  const { isSuccess: deleted, isPending } = removal;

  // The session ends when this page is left, which the person may do before it is time.
  const atEnd = useRef<(() => void) | null>(null);
  const end = () => {
    atEnd.current?.();
    atEnd.current = null;
  };
  useEffect(() => {
    if (!deleted) return undefined;
    atEnd.current = () => void logout();
    const timer = window.setTimeout(() => {
      navigate('/'); // first, because a signed-out reader of this page would be sent to the login screen
      end();
    }, REDIRECT_MS);
    // A reload, a closed tab and a link out of the app leave no time to sign out.
    window.addEventListener('pagehide', dropSession);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener('pagehide', dropSession);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- once, whatever the session's functions are by then
  }, [deleted]);
  useEffect(() => end, []);

  return (
    <Card title="Account">
      {!deleted && (
        <>
          <AccountRow text="A signed receipt of your rank. Anyone can verify it, even offline.">
            <ReceiptButton />
          </AccountRow>
          <ExportAccount />
        </>
      )}
      <AccountRow text="Deleting your account removes your profile, your proofs and your place on the leaderboard.">
        <Button look="danger" disabled={isPending || deleted} onClick={() => setAsking(true)}>
          <Trash2 className="size-4" aria-hidden="true" />
          {deleted ? 'Account Deleted!' : isPending ? 'Deleting Account...' : 'Delete Account'}
        </Button>
      </AccountRow>
      {deleted && (
        <Notice tone="positive" role="status" className="mt-4">
          <p>Your account has been deleted. Redirecting...</p>
        </Notice>
      )}
      {removal.isError && (
        <Notice tone="danger" role="alert" className="mt-4">
          <p>{messageOf(removal.error, 'Failed to delete account.')}</p>
        </Notice>
      )}
      {asking && (
        <ConfirmDialog
          title="Delete Account"
          text="Are you sure you want to delete your account? This action cannot be undone."
          confirmLabel="Delete Account"
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            removal.mutate();
          }}
        />
      )}
    </Card>
  );
}
