import { plural } from '../../lib/format';
import type { PrivateFields } from '../../psbt';

const NOUNS: [keyof PrivateFields, string][] = [
  ['extendedPublicKeys', 'extended public key'],
  ['derivationPaths', 'derivation path'],
  ['previousTransactions', 'previous transaction'],
  ['proprietary', 'proprietary field'],
  ['unknown', 'unknown field'],
];

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
