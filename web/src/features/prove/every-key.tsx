import { Card } from '../../ui/card';
import { signedKeys } from '../verify/conditions';
import type { ReaderProof } from './use-reader-proof';

interface EveryKeyProps {
  built: ReaderProof;
  everyKey: boolean;
  onEveryKey: (everyKey: boolean) => void;
}

/** Whether the reader sees the signatures that the scripts do not need: more keys tell more. */
export function EveryKey({ built: { further, checked }, everyKey, onEveryKey }: EveryKeyProps) {
  const { conditions } = checked.check;
  const lacks = conditions.some((one) => one !== null && one.signed.length < one.of);
  if (further === 0 && !lacks) return null;
  return (
    <Card title="Every key" className="text-sm print:hidden">
      <p className="num">{signedKeys(conditions)}</p>
      {further > 0 ? (
        <>
          <label className="mt-3 flex items-start gap-3">
            <input type="checkbox" checked={everyKey} onChange={({ target }) => onEveryKey(target.checked)} className="mt-0.5 size-5 shrink-0 accent-accent-ink" />
            Put every signature into the file
          </label>
          <p className="mt-2 text-muted">Your reader then sees that these keys exist and sign. The proof is right without them, and they can’t be called back.</p>
        </>
      ) : (
        <p className="mt-2 text-muted">That is enough. To show your reader more keys, have them sign the same file, and drop it here.</p>
      )}
    </Card>
  );
}
