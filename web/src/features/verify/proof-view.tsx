import { type ReactNode, useState } from 'react';
import { Download } from 'lucide-react';
import { sourcesFor } from '../../lib/chains';
import { download } from '../../lib/download';
import { formatDate, formatSatsShort, plural } from '../../lib/format';
import { personPage, providerTitle } from '../../lib/names';
import { Button } from '../../ui/button';
import { Line } from '../../ui/copied';
import { More } from '../../ui/more';
import { Notice } from '../../ui/notice';
import { DocumentLink } from '../../ui/text-link';
import { CoinTable } from './coin-table';
import { dateOf, NOBODY, passedIn, verdictOn, type Verdict } from './judge';
import { coinsOf, fileName, isPublished, shownName, type Evidence, type PublishedProof } from './proof';
import { ResultPage } from './result-page';
import { SourceChoice } from './source-choice';
import { Progress, Steps } from './steps';
import { Sentence } from './told';
import { useCoins } from './use-coins';
import type { Read } from './use-proof';
import { whenUsed } from './when-used';

const DateCard = whenUsed(() => import('./date-card'));

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

interface ProofViewProps extends Read {
  origin: string;
  /** What ends every result. */
  foot: ReactNode;
}

/** What is known of a proof: who and how much, one sentence and one button. The rest is folded. */
export function ProofView({ proof, board, checked, origin, foot }: ProofViewProps) {
  const asking = useCoins([{ proof, report: checked?.report ?? null }]);
  const [now] = useState(Date.now);
  const verdict = verdictOn({ proof, board, origin, check: checked?.check ?? null, asked: asking.asked, now });
  // Amber is for what the source has said, not for what it has not said yet.
  const tone = verdict.state === 'open' && asking.asked?.height == null ? 'info' : TONES[verdict.state];
  const person = isPublished(board) ? board : null;
  // A false proof gets no name and amount in large letters.
  const shown = verdict.state === 'false' ? null : checked;
  return (
    <ResultPage
      heading={shown && <Heading person={person} sats={shown.check.amountSats} />}
      intro={shown && <Origin person={person} proof={proof} date={dateOf({ check: shown.check, asked: asking.asked })} />}
      folded={
        <>
          <Steps steps={verdict.steps} warns={tone === 'warning'} />
          {checked && (
            <More title="The coins" aside={plural(coinsOf(proof).length, 'coin')} boxed>
              <CoinTable proof={person ?? proof} fromBoard={person !== null} report={checked.report} conditions={checked.check.conditions} asked={asking.asked} />
            </More>
          )}
          {/* Without the board’s word the line is all there is. */}
          <More title={person ? 'Who signed, and the file' : 'What the file says'} open={person === null} boxed>
            {person ? <Person proof={person} /> : <Quoted proof={proof} />}
          </More>
        </>
      }
      foot={foot}
    >
      <section className="space-y-4 rounded-card border border-line bg-surface p-4 shadow-card sm:p-6">
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
      </section>
      {asking.asked?.at && verdict.state !== 'false' && <DateCard dates={[asking.asked.at]} />}
    </ResultPage>
  );
}

/** Who and how much. Without the board’s word on the person, only how much. */
function Heading({ person, sats }: { person: PublishedProof | null; sats: bigint }) {
  const amount = <span className="num whitespace-nowrap">{formatSatsShort(sats)} BTC</span>;
  if (!person) return <>Signed for {amount}</>;
  return (
    <>
      <bdi>{shownName(person)}</bdi> proved {amount}
    </>
  );
}

/** Where the name is from, in how many coins, and when it was signed; until that is known, when it was published. */
function Origin({ person, proof, date }: { person: PublishedProof | null; proof: Evidence; date: string | null }) {
  const when = date ? `signed after ${date}` : person && `published ${formatDate(person.published_at)}`;
  return (
    <>
      {person && (
        <>
          On <bdi>{providerTitle(person.profile.provider)}</bdi> ·{' '}
        </>
      )}
      {plural(coinsOf(proof).length, 'coin')}
      {when && ` · ${when}`}
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
