import { Download } from 'lucide-react';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../api/client';
import { exportAccount } from '../../api/mutations';
import { download } from '../../lib/download';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { AccountRow } from './account-row';

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
      <AccountRow text="A file with everything this site stores about you.">
        <Button look="secondary" disabled={copy.isPending} onClick={() => copy.mutate()}>
          <Download className="size-4" aria-hidden="true" />
          Download My Data
        </Button>
      </AccountRow>
      {copy.isError && (
        <Notice tone="danger" role="alert" className="mb-6">
          <p>{messageOf(copy.error, 'Failed to download your data.')}</p>
        </Notice>
      )}
    </>
  );
}
