import { type ReactNode, useEffect, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { sourcesFor } from '../../lib/chains';
import { formatSatsShort, plural } from '../../lib/format';
import { normalizeWords, type JointProof } from '../../psbt';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { More } from '../../ui/more';
import { Notice } from '../../ui/notice';
import { TextField } from '../../ui/text-field';
import { CoinTable } from './coin-table';
import { FileCards } from './file-cards';
import { jointResult, useJoint, type JointResult, type Unread } from './joint';
import type { Asked, AtDate, VerdictState } from './judge';
import { differenceOf, readerTitle, readerVerdict } from './judge-reader';
import { coinsOf, type Evidence } from './proof';
import { messageOf } from '../../lib/errors';
import { prepareReport, ReportCard } from './report-card';
import { ResultPage } from './result-page';
import { SourceChoice } from './source-choice';
import { Steps } from './steps';
import { Sentence, told } from './told';
import { useCoins } from './use-coins';
import { Mixed, useMixed } from './mixed';
import type { BroughtProof } from './use-proof';
import { submitted } from '../../lib/submitted';
import { SignedFile } from './signed-file';
import { whenUsed } from './when-used';

const TONES = { right: 'positive', open: 'info', false: 'danger', nobody: 'info' } as const;

const DateCard = whenUsed(() => import('./date-card'));

interface ReaderViewProps {
  proofs: BroughtProof[];
  /** Files that are no private proofs. */
  unread: Unread[];
  /** Whether others are still being read. */
  pending: boolean;
  origin: string;
  onRemove: (file: File) => void;
  /** What ends every result. */
  foot: ReactNode;
}

/** Private proofs for one reader: the reader's own request first, then what everybody can check. */
export function ReaderView({ proofs, unread, pending, origin, onRemove, foot }: ReaderViewProps) {
  const [words, setWords] = useState<string | null>(null);
  const [oneClient, setOneClient] = useState(false);
  const asking = useCoins(proofs.map(({ proof, checked }) => ({ proof, report: checked?.report ?? null })));
  const [now] = useState(Date.now);
  useEffect(prepareReport, []);
  const verdicts = proofs.map(({ proof, checked }, at) =>
    readerVerdict({ proof, board: told``, origin, check: checked?.check ?? null, asked: asking.askedFor(at), now, words }),
  );
  const several = pending || proofs.length + unread.length > 1;
  const joint = useJoint({ proofs, verdicts, askedFor: asking.askedFor, oneClient, enabled: several && !pending && !asking.busy });
  const [first] = proofs;
  const [verdict] = verdicts;
  if (!first || !verdict) return null;
  const one = { state: verdict.state === 'nobody' ? 'open' : verdict.state, title: readerTitle(verdict, words, first.proof.statement.subject), sentence: verdict.sentence } as const;
  const result = several ? jointResult({ joint, proofs, unread, verdicts, words }) : one;
  const isOpen = result.state === 'open' && words !== null && asking.asked?.height != null && !asking.busy;
  const dates = proofs.flatMap((_, at) => asking.askedFor(at)?.at ?? []);
  const names = [...new Set(proofs.map(({ proof }) => proof.statement.name))];
  const isAsked = new Set(proofs.map(({ proof }) => proof.network)).size === 1 && proofs.every(({ checked }) => checked !== null);
  return (
    <ResultPage
      heading={several ? <SeveralHeading joint={joint} result={result} count={proofs.length} /> : <OneHeading brought={first} state={verdict.state} at={dates[0] ?? null} />}
      intro={!several && verdict.state !== 'false' && <OneIntro brought={first} asked={asking.asked} />}
      folded={
        <>
          {!several && <Steps steps={verdict.steps} warns={isOpen} />}
          {!several && first.checked && (
            <More title="The coins" aside={plural(coinsOf(first.proof).length, 'coin')} boxed>
              <CoinTable proof={first.proof} report={first.checked.report} conditions={first.checked.check.conditions} asked={asking.asked} />
            </More>
          )}
          {!several && (
            <More title="The file" boxed>
              <SignedFile proof={first.proof} sha256={first.sha256} />
            </More>
          )}
          {unread.length === 0 && !pending && <ReportCard proofs={proofs} verdicts={verdicts} result={told`${result.title}. ${result.sentence}`} state={result.state} joint={several ? joint : null} words={words} asking={asking} />}
        </>
      }
      foot={foot}
    >
      <Notice tone={isOpen ? 'warning' : TONES[result.state]} role="status" title={result.title}>
        <p>
          <Sentence>{result.sentence}</Sentence>
        </p>
      </Notice>
      {several && <FileCards proofs={proofs} unread={unread} verdicts={verdicts} askedFor={asking.askedFor} warns={isOpen} onRemove={onRemove} />}
      {names.length > 1 && (
        <label className="flex items-start gap-3 text-sm">
          <input type="checkbox" checked={oneClient} onChange={({ target }) => setOneClient(target.checked)} className="mt-0.5 size-5 shrink-0 accent-accent-ink" />
          These {names.length} names are one client of mine. Show one sum.
        </label>
      )}
      <Card title="The request you gave">
        <WordsForm proof={first.proof} words={words} onWords={setWords} />
      </Card>
      {isAsked && (
        <Card title="Check the coins">
          <SourceChoice offered={sourcesFor(first.proof)} asking={asking} quiet={words === null} />
        </Card>
      )}
      {dates.length > 0 && result.state !== 'false' && <DateCard dates={dates} />}
    </ResultPage>
  );
}

/** A false proof, or one for another reader, gets no amount in large letters. */
function OneHeading({ brought: { checked }, state, at }: { brought: BroughtProof; state: VerdictState; at: AtDate | null }) {
  if (state === 'false' || !checked) return 'Check a proof';
  const sats = at && state === 'right' ? at.verdict.stoodSats : checked.check.amountSats;
  return (
    <>
      Private proof of {at && state === 'right' && 'at least '}
      <span className="num whitespace-nowrap">{formatSatsShort(sats)} BTC</span>
    </>
  );
}

function OneIntro({ brought: { proof }, asked }: { brought: BroughtProof; asked: Asked | null }) {
  const coins = plural(coinsOf(proof).length, 'coin');
  return (
    <>
      The holder says they are “<bdi className="font-semibold">{proof.statement.name}</bdi>”. Nobody checked this name. {asked?.height == null ? `${coins}, stated, not looked up.` : `${coins}.`}
    </>
  );
}

/** The sum stands only when all files are right. */
function SeveralHeading({ joint, result, count }: { joint: JointProof | null; result: JointResult; count: number }) {
  const sats = result.state === 'right' ? joint?.amountSats : null;
  if (sats == null) return plural(count, 'private proof');
  return (
    <>
      {plural(count, 'private proof')} of at least <span className="num whitespace-nowrap">{formatSatsShort(sats)} BTC</span>
    </>
  );
}

interface WordsFormProps {
  proof: Evidence;
  words: string | null;
  onWords: (words: string | null) => void;
}

/** Compares the words of the file with those that the reader gave, which are never filled in: large type shows no look-alike letter. */
function WordsForm({ proof, words, onWords }: WordsFormProps) {
  const [typed, setTyped] = useState('');
  const mixed = useMixed(proof.statement.subject);
  const { error, mutate: compare } = useMutation({ mutationFn: () => normalizeWords(typed), onSuccess: ({ text }) => onWords(text), onError: () => onWords(null) });
  const difference = words === null ? null : differenceOf(proof.statement.subject, words);
  return (
    <form onSubmit={submitted(() => compare())} className="space-y-3 text-sm">
      <TextField
        label="Your request"
        value={typed}
        onText={setTyped}
        rows={2}
        fault={error && messageOf(error, 'This request couldn’t be read. Type it again.')}
        hint="Paste the request that you gave the holder, from your own notes. Don’t copy it from the file or the report."
      />
      <Button type="submit" look={words === null ? 'primary' : 'secondary'} disabled={typed.trim() === ''}>
        Compare
      </Button>
      {words !== null && (
        <dl className="space-y-1 [overflow-wrap:anywhere]">
          <dt className="text-muted">In the file</dt>
          <dd className="font-mono">
            <bdi>{proof.statement.subject}</bdi>
          </dd>
          <dt className="text-muted">Yours</dt>
          <dd className="font-mono">
            <bdi>{words}</bdi>
          </dd>
        </dl>
      )}
      {words !== null && (
        <p role="status" className={difference ? 'font-semibold text-danger' : 'font-semibold text-positive'}>
          {difference ? `Different: the file has ${difference.theirs} where you have ${difference.own}.` : 'Same.'}
        </p>
      )}
      <Mixed words={mixed} before="The file mixes" />
      <p className="text-muted">Spaces at the ends don’t matter, and several count as one. Every other letter must be the same.</p>
    </form>
  );
}
