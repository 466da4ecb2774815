import { formatSats, plural } from '../../lib/format';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { More } from '../../ui/more';
import { CoinTable } from './coin-table';
import type { Unread } from './joint';
import type { Asked, Verdict } from './judge';
import { coinsOf } from './proof';
import { SignedFile } from './signed-file';
import { Steps } from './steps';
import type { BroughtProof } from './use-proof';

const STATES = {
  right: { tone: 'positive', word: 'Right' },
  open: { tone: 'neutral', word: 'Not checked yet' },
  nobody: { tone: 'neutral', word: 'Not checked yet' },
  false: { tone: 'danger', word: 'False' },
} as const;

interface FileCardsProps {
  proofs: BroughtProof[];
  unread: Unread[];
  verdicts: Verdict[];
  askedFor: (at: number) => Asked | null;
  warns: boolean;
  onRemove: (file: File) => void;
}

/** Each of several files: whose it says it is, and how far it is checked. */
export function FileCards({ proofs, unread, verdicts, askedFor, warns, onRemove }: FileCardsProps) {
  return (
    <Card title="The files">
      <ul className="divide-y divide-line text-sm">
        {proofs.map((brought, at) => {
          const { file, proof, checked, sha256 } = brought;
          const { tone, word } = STATES[verdicts[at]?.state ?? 'open'];
          const coins = coinsOf(proof);
          return (
            // oxlint-disable-next-line react/no-array-index-key -- the same file may be there twice
            <li key={`${file.name} ${at}`} className="space-y-1 py-3 [overflow-wrap:anywhere] first:pt-0">
              <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                <bdi className="font-semibold">{file.name}</bdi>
                <Badge tone={tone}>{word}</Badge>
              </p>
              <p className="text-muted">
                Says they are “<bdi>{proof.statement.name}</bdi>”. {plural(coins.length, 'coin')}
                {checked && verdicts[at]?.state !== 'false' && `, stated: ${formatSats(checked.check.amountSats)} BTC`}.
              </p>
              <More title="Details">
                {verdicts[at] && <Steps steps={verdicts[at].steps} warns={warns} />}
                {checked && <CoinTable proof={proof} report={checked.report} conditions={checked.check.conditions} asked={askedFor(at)} />}
                <SignedFile proof={proof} sha256={sha256} />
              </More>
              <Remove file={file} onRemove={onRemove} />
            </li>
          );
        })}
        {unread.map(({ file, why }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the same file may be there twice
          <li key={`${file.name} ${at}`} className="space-y-1 py-3 [overflow-wrap:anywhere]">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <bdi className="font-semibold">{file.name}</bdi>
              <Badge tone="danger">No private proof</Badge>
            </p>
            <p className="text-muted">{why}</p>
            <Remove file={file} onRemove={onRemove} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Remove({ file, onRemove }: { file: File; onRemove: (file: File) => void }) {
  return (
    <Button look="secondary" size="small" aria-label={`Remove ${file.name}`} onClick={() => onRemove(file)}>
      Remove
    </Button>
  );
}
