import { useState } from 'react';
import { Clock, Download } from 'lucide-react';
import { sourcesFor } from '../../lib/chains';
import { download } from '../../lib/download';
import { formatDate, formatSats, plural } from '../../lib/format';
import { initial, personPage, providerTitle } from '../../lib/names';
import { Avatar } from '../../ui/avatar';
import { Button } from '../../ui/button';
import { Line } from '../../ui/copied';
import { Notice } from '../../ui/notice';
import { DocumentLink } from '../../ui/text-link';
import { CoinTable } from './coin-table';
import { Columns, Part, Progress, Steps } from './columns';
import { dateOf, NOBODY, passedIn, verdictOn, type Verdict } from './judge';
import { coinsOf, fileName, isPublished, shownName, type Evidence, type PublishedProof } from './proof';
import { SourceChoice } from './source-choice';
import { Sentence } from './told';
import { useCoins } from './use-coins';
import type { Read } from './use-proof';

const TONES = { right: 'positive', open: 'warning', false: 'danger', nobody: 'info' } as const;

/** What the visitor reads first. Before a chain source was asked it is how far the browser has come. */
function titleOf(verdict: Verdict, proof: Evidence, origin: string): string {
  const { state } = verdict;
  if (state === 'right') return 'This proof is right';
  if (state === 'false') return 'This proof is false';
  // Anyone can run a board: this one cannot vouch for its people.
  if (state === 'nobody') return proof.statement.origin === origin ? NOBODY : `Signed for ${hostIn(proof.statement.origin)}`;
  return passedIn(verdict);
}

/** The host of an origin in punycode, so that no letter looks like another. */
function hostIn(origin: string): string {
  try {
    return new URL(origin).host;
  } catch {
    return 'another board';
  }
}

/** What is known of a proof: who and how much, one sentence, the steps; next to them the statement and the coins. */
export function ProofView({ proof, board, checked, origin }: Read & { origin: string }) {
  const asking = useCoins(proof, checked?.report ?? null);
  const [now] = useState(Date.now);
  const verdict = verdictOn({ proof, board, origin, check: checked?.check ?? null, asked: asking.asked, now });
  // Amber is for what the source has said, not for what it has not said yet.
  const tone = verdict.state === 'open' && asking.asked?.height == null ? 'info' : TONES[verdict.state];
  const main = (
    <>
      <section className="divide-y divide-line rounded-card border border-line bg-surface shadow-card">
        {/* A false proof gets no name and amount in large letters. */}
        {checked && verdict.state !== 'false' && <Head proof={proof} board={board} sats={checked.check.amountSats} date={dateOf({ check: checked.check, asked: asking.asked })} />}
        <div className="space-y-3 p-4 sm:space-y-4 sm:p-6">
          <Progress steps={verdict.steps} />
          <Notice tone={tone} role="status" title={titleOf(verdict, proof, origin)}>
            <p>
              <Sentence>{verdict.sentence}</Sentence>
            </p>
          </Notice>
          {checked && (
            <>
              <h2 className="sr-only">Check the coins</h2>
              <SourceChoice offered={sourcesFor(proof)} asking={asking} />
            </>
          )}
        </div>
      </section>
      <Steps steps={verdict.steps} warns={tone === 'warning'} />
    </>
  );
  const aside = (
    <>
      {isPublished(board) ? (
        <Part title="Whose it is">
          <Person proof={board} />
        </Part>
      ) : (
        <Part title="What the file says">
          <Quoted proof={proof} />
        </Part>
      )}
      {checked && (
        <Part title="The coins">
          <CoinTable proof={isPublished(board) ? board : proof} fromBoard={isPublished(board)} report={checked.report} states={asking.asked?.states ?? null} />
        </Part>
      )}
    </>
  );
  return <Columns main={main} aside={aside} />;
}

/** Who and how much. Without the board’s word on the person, only how much. */
function Head({ proof, board, sats, date }: Pick<Read, 'proof' | 'board'> & { sats: bigint; date: string | null }) {
  const person = isPublished(board) ? board : null;
  const coins = plural(coinsOf(proof).length, 'coin');
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4 sm:px-6 sm:py-5">
        {person && (
          <div className="flex min-w-0 flex-1 basis-48 items-center gap-3">
            <Avatar picture={null} initial={initial(person.profile.username)} seed={person.profile.id} size="card" />
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <h2 className="text-lg/6 font-semibold">
                <bdi>{shownName(person)}</bdi>
              </h2>
              <p className="text-sm text-muted">
                on <bdi>{providerTitle(person.profile.provider)}</bdi>
              </p>
            </div>
          </div>
        )}
        <p className="num flex flex-wrap items-baseline gap-x-2 text-2xl font-bold sm:text-3xl">
          {formatSats(sats)} BTC <span className="text-sm font-normal text-muted">in {coins}</span>
        </p>
      </div>
      {person && (
        <p className="flex items-center gap-3 px-4 py-2.5 text-sm text-muted sm:px-6 sm:py-3">
          <Clock className="size-5" aria-hidden="true" />
          {date ? `Signed after ${date}` : `Published ${formatDate(person.published_at)}`}
        </p>
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
  const person = personPage(statement);
  const file = () => new File([JSON.stringify(proof, null, 2)], fileName(proof), { type: 'application/json' });
  return (
    <div className="space-y-3 text-sm [overflow-wrap:anywhere]">
      <Line>{statement.text}</Line>
      <p>
        Shown as{' '}
        <strong>
          <bdi>{shownName(proof)}</bdi>
        </strong>
        , published <time dateTime={proof.published_at}>{formatDate(proof.published_at)}</time>. The id at{' '}
        <bdi>{providerTitle(statement.provider)}</bdi> is{' '}
        {person ? (
          <DocumentLink to={person} rel="noreferrer">{statement.subject}</DocumentLink>
        ) : (
          <bdi className="font-mono">{statement.subject}</bdi>
        )}
        .
      </p>
      <div className="flex flex-wrap gap-3">
        <Button icon={Download} look="secondary" onClick={() => download(file())}>Download the Proof</Button>
        <p className="py-2.5">
          <DocumentLink to={`/verify?profile=${encodeURIComponent(profile.id)}`}>All Proofs of This Person</DocumentLink>
        </p>
      </div>
    </div>
  );
}
