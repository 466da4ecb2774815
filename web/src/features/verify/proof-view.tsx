import { useState } from 'react';
import { Download } from 'lucide-react';
import { download } from '../../lib/download';
import { formatDate, plural } from '../../lib/format';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Notice } from '../../ui/notice';
import { chainFor } from '../../lib/chains';
import { CoinTable } from './coin-table';
import { NOBODY, providerName, verdictOn, type Verdict } from './judge';
import { fileName, isPublished, personAt, shownName, type Evidence, type PublishedProof } from './proof';
import { SourceChoice } from './source-choice';
import { StepList } from './step-list';
import { Sentence } from './told';
import { useCoins } from './use-coins';
import type { Read } from './use-proof';

const TONES = { right: 'positive', open: 'warning', false: 'danger', nobody: 'info' } as const;

/** What the visitor reads first. Before a chain source was asked it is how far the browser has come. */
function titleOf({ state, steps }: Verdict, proof: Evidence, origin: string): string {
  if (state === 'right') return 'This proof is right';
  if (state === 'false') return 'This proof is false';
  // Anyone can run a board: this one cannot vouch for its people.
  if (state === 'nobody') return proof.statement.origin === origin ? NOBODY : `Signed for ${hostIn(proof.statement.origin)}`;
  const passed = steps.filter((step) => step.state === 'right').length;
  return `${passed} of ${plural(steps.length, 'check')} passed in your browser`;
}

/** The host of an origin in punycode, so that no letter looks like another. */
function hostIn(origin: string): string {
  try {
    return new URL(origin).host;
  } catch {
    return 'another board';
  }
}

interface ProofViewProps extends Read {
  origin: string;
}

/** What is known of a proof: one sentence, the steps, the coins. */
export function ProofView({ proof, board, checked, note, origin }: ProofViewProps) {
  const asking = useCoins(proof, checked?.report ?? null);
  const [now] = useState(Date.now);
  const verdict = verdictOn({ proof, board, note, origin, check: checked?.check ?? null, asked: asking.asked, now });
  return (
    <>
      <Notice tone={verdict.state === 'open' && !asking.asked ? 'info' : TONES[verdict.state]} role="status" title={titleOf(verdict, proof, origin)}>
        <p>
          <Sentence>{verdict.sentence}</Sentence>
        </p>
      </Notice>
      {checked && (
        <Card title="Check the coins">
          <SourceChoice offered={chainFor(proof)?.sources ?? []} asking={asking} />
        </Card>
      )}
      {isPublished(board) ? (
        <Card title="Whose it is">
          <Person proof={board} />
        </Card>
      ) : (
        <Card title="What the file says">
          <Quoted proof={proof} />
        </Card>
      )}
      <Card title="What was checked">
        <StepList steps={verdict.steps} />
      </Card>
      {checked && (
        <Card title="The coins">
          <CoinTable proof={isPublished(board) ? board : proof} report={checked.report} states={asking.asked?.states ?? null} />
        </Card>
      )}
    </>
  );
}

/** The line as a quotation: nobody says that it is true. */
function Quoted({ proof }: { proof: Evidence }) {
  return (
    <div className="space-y-3 text-sm [overflow-wrap:anywhere]">
      <blockquote className="rounded-lg bg-raised p-3 font-mono">“{proof.statement.text}”</blockquote>
      <p>Anyone can sign their own coins for any name. To see a name here, open the proof on the board that the line names.</p>
    </div>
  );
}

function Person({ proof }: { proof: PublishedProof }) {
  const { profile, statement } = proof;
  const person = personAt(statement);
  const file = () => new File([JSON.stringify(proof, null, 2)], fileName(proof), { type: 'application/json' });
  return (
    <div className="space-y-3 text-sm [overflow-wrap:anywhere]">
      <p className="rounded-lg bg-raised p-3 font-mono">{statement.text}</p>
      <p>
        Shown as{' '}
        <strong>
          <bdi>{shownName(proof)}</bdi>
        </strong>
        , published <time dateTime={proof.published_at}>{formatDate(proof.published_at)}</time>. The id at{' '}
        <bdi>{providerName(statement.provider)}</bdi> is{' '}
        {person ? (
          <a href={person} rel="noreferrer" className="font-medium text-accent-ink underline underline-offset-3">
            {statement.subject}
          </a>
        ) : (
          <bdi className="font-mono">{statement.subject}</bdi>
        )}
        .
      </p>
      <div className="flex flex-wrap gap-3">
        <Button look="secondary" onClick={() => download(file())}>
          <Download className="size-4" aria-hidden="true" />
          Download the Proof
        </Button>
        <a href={`/verify?profile=${encodeURIComponent(profile.id)}`} className="inline-flex min-h-10 items-center font-medium text-accent-ink underline underline-offset-3">
          All Proofs of This Person
        </a>
      </div>
    </div>
  );
}
