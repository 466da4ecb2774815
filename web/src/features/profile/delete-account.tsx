import { type ReactNode, useEffect, useState } from 'react';
import { Download, Trash2 } from 'lucide-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { ApiError } from '../../api/client';
import { listen } from '../../lib/listen';
import { UserFacingError } from '../../lib/errors';
import { deleteAccount, exportAccount } from '../../api/mutations';
import { PROFILES_KEY } from '../../api/queries';
import { Button } from '../../ui/button';
import { Failure } from '../../ui/failure';
import { Notice } from '../../ui/notice';
import { useSession } from '../session/context';
import { dropProven } from '../share/drop-proven';
import { dropSession } from '../session/drop';
import { beginLeaving, endLeaving } from '../session/wanted';
import { download } from '../../lib/download';
import { later } from '../../ui/later';

const ConfirmDialog = later(() => import('../../ui/confirm-dialog'));
const REDIRECT_MS = 2000;
const NOT_SIGNED_IN = 'You must be signed in to manage your subscription.';

/** Downloads what is stored; deletes the account after a question, then signs out and leaves for the start page. */
export function AccountActions({ onLeaving }: { onLeaving: (leaving: boolean) => void }) {
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
        dropProven(queries);
      } catch (error) {
        endLeaving();
        throw error instanceof ApiError && error.status === 401 ? new UserFacingError(NOT_SIGNED_IN) : error;
      }
    },
    onError: () => onLeaving(false),
  });
  const { isSuccess: deleted, isPending } = removal;

  useEffect(() => {
    if (!deleted) return undefined;
    const timer = window.setTimeout(() => navigate('/'), REDIRECT_MS);
    // A reload, a closed tab and a link out of the app leave no time to sign out.
    const stop = listen(window, { pagehide: dropSession });
    return () => {
      window.clearTimeout(timer);
      stop();
      // Only after this page is left: a signed-out reader of it would be sent to the login screen.
      void logout();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- once, whatever the session's functions are by then
  }, [deleted]);

  return (
    <>
      {!deleted && <ExportAccount />}
      <AccountRow text="Deleting your account removes your profile, your proofs and your place on the leaderboard.">
        <Button icon={Trash2} look="danger" disabled={isPending || deleted} onClick={() => setAsking(true)}>
          {deleted ? 'Account Deleted!' : isPending ? 'Deleting Account...' : 'Delete Account'}
        </Button>
      </AccountRow>
      {deleted && <Notice tone="positive" role="status" className="mt-4" text="Your account has been deleted. Redirecting..." />}
      <Failure error={removal.error} fallback="Failed to delete account." className="mt-4">
        <p>Your account may still be there. Reload the page, then try again.</p>
      </Failure>
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
    </>
  );
}

/** One thing to do with the account: a sentence, and its button. */
export function AccountRow({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="mb-6 flex flex-wrap items-center justify-between gap-4 last:mb-0">
      <p className="min-w-0 flex-1 basis-48 text-sm text-muted">{text}</p>
      {children}
    </div>
  );
}

/** Downloads everything that is stored about the signed-in user. */
function ExportAccount() {
  const copy = useMutation({
    mutationFn: async () => {
      const text = JSON.stringify(await exportAccount(), null, 2);
      download(new File([text], 'proof-of-reserves.json', { type: 'application/json' }));
    },
  });
  return (
    <>
      <AccountRow text="A file with everything this site stores about you.">
        <Button icon={Download} look="secondary" disabled={copy.isPending} onClick={() => copy.mutate()}>
          Download My Data
        </Button>
      </AccountRow>
      <Failure error={copy.error} fallback="Couldn’t download your data. Try again." className="mb-6" />
    </>
  );
}
