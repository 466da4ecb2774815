import { Globe } from 'lucide-react';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { DocumentLink } from '../../ui/text-link';
import { More } from '../../ui/more';

interface PublishCardProps {
  /** The proof's id, once it is published. */
  published: string | null;
  /** Whether the file carries the statement; only then can it be published. */
  bound: boolean;
  /** Whether others see only a range of the total. */
  ranged: boolean;
  /** Whether it is a signed message. */
  message: boolean;
  sending: boolean;
  /** Why it was not published. */
  trouble: string | null;
  onPublish: () => void;
}

/** After a success: the offer to publish the proof, next to what that costs. */
export function PublishCard({ published, bound, ranged, message, sending, trouble, onPublish }: PublishCardProps) {
  if (published) {
    return (
      <Card title="Your proof is published">
        <p className="text-sm text-muted">
          <DocumentLink to={`/verify/${published}`}>Anyone can check it</DocumentLink>{' '}
          without trusting us. Withdraw it on your profile at any time.
        </p>
      </Card>
    );
  }
  return (
    <Card title="Publish the proof?">
      <p className="text-sm text-muted">Anyone can verify these coins without trusting us. The price: your name is tied to them, and to where they came from and go, for good.</p>
      {ranged && <p className="mt-2 text-sm text-muted">You show only a range of your total. A published proof shows its coins: choose the exact total on your profile first.</p>}
      {!bound && <p className="mt-2 text-sm text-muted">Only a proof with your statement can be published: this file could be one that someone broadcasts.</p>}
      <Button icon={Globe} look="secondary" className="mt-3" disabled={sending || !bound || ranged} onClick={onPublish}>
        {sending ? 'Publishing...' : 'Publish'}
      </Button>
      {trouble && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {trouble}
        </p>
      )}
      <div className="-mb-4">
        <More title="What others would see">
          <p>Each coin with its address and amount, and your signature over it. You can withdraw it here at any time; others may have copies.</p>
          <p>{message ? 'This file is a signed message, the better form to publish: it is not a transaction on any chain.' : 'A signed message is the better form to publish, because it is no transaction. How It Works says which wallets can sign one.'}</p>
        </More>
      </div>
    </Card>
  );
}
