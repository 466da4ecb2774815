import { useEffect, useState } from 'react';
import { Trash2 } from 'lucide-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { messageOf } from '../../api/client';
import { deleteAccount } from '../../api/mutations';
import { PROFILES_KEY } from '../../api/queries';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Notice } from '../../ui/notice';
import { useSession } from '../session/context';
import { ExportAccount } from './export-account';

const REDIRECT_MS = 2000;

/** Deletes the account after a question, then signs out and leaves for the start page. */
export function DeleteAccount({ onLeaving }: { onLeaving: (leaving: boolean) => void }) {
  const { isAuthenticated, logout } = useSession();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const removal = useMutation({
    mutationFn: async () => {
      if (!isAuthenticated) throw new Error('You must be signed in to manage your subscription.');
      onLeaving(true);
      await queries.cancelQueries({ queryKey: PROFILES_KEY });
      await deleteAccount();
    },
    onError: () => onLeaving(false),
  });
  const { isSuccess: deleted, isPending } = removal;

  useEffect(() => {
    if (!deleted) return undefined;
    const timer = window.setTimeout(() => {
      navigate('/'); // first, because a signed-out reader of this page would be sent to the login screen
      void logout();
    }, REDIRECT_MS);
    return () => window.clearTimeout(timer);
  }, [deleted, navigate, logout]);

  return (
    <Card title="Account">
      {!deleted && <ExportAccount />}
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-md text-sm text-muted">
          Deleting your account removes your profile, your proofs and your place on the leaderboard.
        </p>
        <Button look="danger" disabled={isPending || deleted} onClick={() => setAsking(true)}>
          <Trash2 className="size-4" aria-hidden="true" />
          {deleted ? 'Account Deleted!' : isPending ? 'Deleting Account...' : 'Delete Account'}
        </Button>
      </div>
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
      <ConfirmDialog
        open={asking}
        title="Delete Account"
        text="Are you sure you want to delete your account? This action cannot be undone."
        confirmLabel="Delete Account"
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          removal.mutate();
        }}
      />
    </Card>
  );
}
