import { Globe } from 'lucide-react';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { FailureLine } from '../../ui/failure';
import { DocumentLink } from '../../ui/text-link';
import { More } from '../../ui/more';
import { type JustProven, usePublish } from './just-proven';

interface PublishCardProps {
  proven: JustProven;
  userId: string;
  /** Whether others see only a range of the total. */
  ranged: boolean;
}

/** After a success: the offer to publish the proof, next to what that costs. */
export function PublishCard({ proven: { answer, bound, message, sent }, userId, ranged }: PublishCardProps) {
  const publishing = usePublish(userId);
  if (answer.published) {
    return (
      <Card title="Your proof is published">
        <p className="text-sm text-muted">
          <DocumentLink to={`/verify/${answer.proof_id}`}>Anyone can check it</DocumentLink>{' '}
          without trusting us. You can unpublish it on your profile; copies others made stay.
        </p>
      </Card>
    );
  }
  return (
    <Card title="Publish the proof?">
      <p className="text-sm text-muted">Anyone can check these coins without trusting us. The price: your name is tied to them, and to where they came from and go.</p>
      {ranged && <p className="mt-2 text-sm text-muted">You show only a range of your total. A published proof shows its coins: choose the exact total on your profile first.</p>}
      {!bound && <p className="mt-2 text-sm text-muted">Only a proof with your statement can be published: this file could be one that someone broadcasts.</p>}
      <Button icon={Globe} look="secondary" className="mt-3" disabled={publishing.isPending || !bound || ranged || !sent} onClick={() => sent && publishing.mutate(sent)}>
        {publishing.isPending ? 'Publishing...' : 'Publish'}
      </Button>
      <FailureLine error={publishing.error} fallback="Verification failed." />
      <div className="-mb-4">
        <More title="What others would see">
          <p>Each coin with its address and amount, and your signature over it. You can unpublish it here; copies others made stay.</p>
          <p>{message ? 'This file is a signed message, the better form to publish: it is not a transaction on any chain.' : 'A signed message is the better form to publish, because it is no transaction. How It Works says which wallets can sign one.'}</p>
        </More>
      </div>
    </Card>
  );
}
