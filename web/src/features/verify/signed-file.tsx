import { Line } from '../../ui/copied';
import type { Evidence } from './proof';

/** What was signed, and the hash of the file. */
export function SignedFile({ proof, sha256 }: { proof: Evidence; sha256: string | null }) {
  return (
    <div className="space-y-3 text-sm [overflow-wrap:anywhere]">
      <div>
        <p className="text-muted">The line that was signed</p>
        <Line>{proof.statement.text}</Line>
      </div>
      {sha256 && (
        <div>
          <p className="text-muted">SHA-256 of this file. The report shows the same.</p>
          <p className="font-mono text-xs">{sha256}</p>
        </div>
      )}
    </div>
  );
}
