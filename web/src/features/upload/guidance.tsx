import { ShieldCheck } from 'lucide-react';
import { PROOF_DAYS, expiryOf } from '../../lib/expiry';
import { formatDate } from '../../lib/format';
import { Card } from '../../ui/card';
import { TextLink } from '../../ui/text-link';
import { WhySafe } from '../../ui/why-safe';

/** Reassurance: why it is safe to upload a file here, and what it still reveals. */
export function SecurityBox() {
  return (
    <div className="rounded-card border border-positive/30 bg-positive-soft p-5 text-sm">
      <h2 className="flex items-center gap-2 font-semibold text-positive">
        <ShieldCheck className="size-5" aria-hidden="true" />
        Your coins stay where they are
      </h2>
      <ul className="mt-2 list-disc space-y-1 pl-5">
        <WhySafe />
        <li>We never ask for keys or a seed phrase. Your file is read in this browser, and nothing is sent before you press the button.</li>
        <li>Extended public keys and derivation paths are removed before sending. The server checks the rest and drops it.</li>
      </ul>
      <p className="mt-2 text-muted">
        Addresses are never shown, but your total is public: an unusual total can let others find your coins.
      </p>
    </div>
  );
}

/** The day on which the next upload is due. It never blocks one: adding another wallet is always possible. */
export function NextUpload({ latest }: { latest: string | null }) {
  if (!latest) return null;
  const due = expiryOf(latest);
  return (
    <p className="text-sm text-muted">
      Your next upload is due on{' '}
      <time dateTime={due.toISOString()} className="font-semibold text-ink">
        {formatDate(due)}
      </time>
      , {PROOF_DAYS} days after your latest proof. You can add another wallet at any time.
    </p>
  );
}

export function PsbtFaq() {
  return (
    <Card title="What is a PSBT file?">
      <div className="space-y-3 text-sm text-muted">
        <p>
          A Partially Signed Bitcoin Transaction (BIP-174) is the standard file that wallets use to pass a transaction
          around for signing. Signing one proves that you control its coins, even if no block can ever take it.
        </p>
        <p>
          <TextLink to="/how-it-works">How to make one, step by step</TextLink>
          {' · '}
          <TextLink to="/inspect">See what is in any PSBT</TextLink>
        </p>
      </div>
    </Card>
  );
}

export function LegalLinks() {
  return (
    <p className="text-center text-sm text-muted">
      By uploading you accept the <TextLink to="/terms">terms of service</TextLink>. How your data is handled is in the{' '}
      <TextLink to="/privacy">privacy policy</TextLink>.
    </p>
  );
}
