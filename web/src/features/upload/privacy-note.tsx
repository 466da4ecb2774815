import { EyeOff } from 'lucide-react';
import { formatFileSize, plural } from '../../lib/format';
import type { PrivateFields, ProofContents } from '../../psbt';

const NOUNS: [keyof PrivateFields, string][] = [
  ['extendedPublicKeys', 'extended public key'],
  ['derivationPaths', 'derivation path'],
  ['previousTransactions', 'previous transaction'],
  ['proprietary', 'proprietary field'],
  ['unknown', 'unknown field'],
];

/** The private fields of the file, which stay here, next to what would be sent. */
export function PrivacyNote({ contents }: { contents: ProofContents }) {
  return (
    <div className="rounded-xl border border-line p-4 text-sm">
      <h3 className="flex items-center gap-2 font-semibold">
        <EyeOff className="size-4 text-accent-ink" aria-hidden="true" />
        What stays on this device
      </h3>
      <div className="mt-2">
        <PrivateParts fields={contents.report.private} lead="Removed before sending:" />
      </div>
      <p className="mt-3 text-muted">
        When you press the button, {formatFileSize(contents.strippedBytes)} are sent: the signatures, the scripts and the
        coins that they spend.
      </p>
    </div>
  );
}

/** The private fields of a file, counted. */
export function PrivateParts({ fields, lead }: { fields: PrivateFields; lead: string }) {
  const found = NOUNS.filter(([key]) => fields[key] > 0);
  if (found.length === 0) {
    return <p className="text-muted">This file has no extended public keys, derivation paths or other private fields.</p>;
  }
  return (
    <>
      <p className="text-muted">{lead}</p>
      <ul className="mt-1 list-disc pl-5">
        {found.map(([key, noun]) => (
          <li key={key}>{plural(fields[key], noun)}</li>
        ))}
      </ul>
    </>
  );
}
