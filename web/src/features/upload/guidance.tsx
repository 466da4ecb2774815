import { ShieldCheck } from 'lucide-react';
import { TextLink } from '../../ui/text-link';
import { WhySafe } from '../../ui/why-safe';

/** Reassurance in one line: why it is safe to bring a file here opens below it. */
export function Reassurance() {
  return (
    <details className="text-sm text-muted">
      <summary className="flex items-center gap-2 [&::-webkit-details-marker]:hidden">
        <ShieldCheck className="size-4 shrink-0 text-positive" aria-hidden="true" />
        <span>
          Nothing moves and nothing is broadcast. <span className="font-medium text-accent-ink underline underline-offset-3">How?</span>
        </span>
      </summary>
      <ul className="mt-2 list-disc space-y-1 pl-10">
        <WhySafe />
        <li>We never ask for keys or a seed phrase. Your file is read in this browser; nothing is sent before you press the button.</li>
        <li>Extended public keys and derivation paths are removed before sending. The server checks the rest and drops it.</li>
        <li>Addresses are never shown. Your total is public: an unusual total can let others find your coins.</li>
      </ul>
    </details>
  );
}

export function LegalLinks() {
  return (
    <p className="text-[0.8125rem] text-muted">
      By uploading you accept the <TextLink to="/terms">terms of service</TextLink>. See the <TextLink to="/privacy">privacy policy</TextLink>.
    </p>
  );
}
