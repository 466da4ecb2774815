import { type ReactNode, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { sourcesFor } from '../../lib/chains';
import { formatSatsShort, plural } from '../../lib/format';
import { normalizeWords } from '../../psbt';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Line } from '../../ui/copied';
import { More } from '../../ui/more';
import { Notice } from '../../ui/notice';
import { TextField } from '../../ui/text-field';
import { CoinTable } from './coin-table';
import { differenceOf, readerTitle, readerVerdict } from './judge-reader';
import { coinsOf, type Evidence } from './proof';
import { messageOf } from '../../lib/errors';
import { ResultPage } from './result-page';
import { SourceChoice } from './source-choice';
import { Steps } from './steps';
import { Sentence, told } from './told';
import { useCoins } from './use-coins';
import { Mixed, useMixed } from './mixed';
import type { Read } from './use-proof';
import { submitted } from '../../lib/submitted';

const TONES = { right: 'positive', open: 'info', false: 'danger', nobody: 'info' } as const;

interface ReaderViewProps extends Read {
  origin: string;
  /** What ends every result. */
  foot: ReactNode;
}

/** A proof for one reader: the reader's own words first, then what everybody can check. */
export function ReaderView({ proof, checked, sha256, origin, foot }: ReaderViewProps) {
  const [words, setWords] = useState<string | null>(null);
  const asking = useCoins(proof, checked?.report ?? null);
  const [now] = useState(Date.now);
  const { subject } = proof.statement;
  const verdict = readerVerdict({ proof, board: told``, origin, check: checked?.check ?? null, asked: asking.asked, now, words });
  const isOpen = verdict.state === 'open' && words !== null && asking.asked?.height != null && !asking.busy;
  // A false proof, or one for another reader, gets no amount in large letters.
  const shown = verdict.state === 'false' ? null : checked;
  const coins = plural(coinsOf(proof).length, 'coin');
  return (
    <ResultPage
      heading={
        shown && (
          <>
            Private proof of <span className="num whitespace-nowrap">{formatSatsShort(shown.check.amountSats)} BTC</span>
          </>
        )
      }
      intro={
        shown && (
          <>
            The holder says they are “<bdi className="font-semibold">{proof.statement.name}</bdi>”. Nobody checked this name. {asking.asked?.height == null ? `${coins}, stated, not looked up.` : `${coins}.`}
          </>
        )
      }
      folded={
        <>
          <Steps steps={verdict.steps} warns={isOpen} />
          {checked && (
            <More title="The coins" aside={coins} boxed>
              <CoinTable proof={proof} report={checked.report} states={asking.asked?.states ?? null} />
            </More>
          )}
          <More title="The file" boxed>
            <SignedFile proof={proof} sha256={sha256} />
          </More>
        </>
      }
      foot={foot}
    >
      <Notice tone={isOpen ? 'warning' : TONES[verdict.state]} role="status" title={readerTitle(verdict, words, subject)}>
        <p>
          <Sentence>{verdict.sentence}</Sentence>
        </p>
      </Notice>
      <Card title="The request you gave">
        <WordsForm proof={proof} words={words} onWords={setWords} />
      </Card>
      {checked && (
        <Card title="Check the coins">
          <SourceChoice offered={sourcesFor(proof)} asking={asking} quiet={words === null} />
        </Card>
      )}
    </ResultPage>
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

function SignedFile({ proof, sha256 }: { proof: Evidence; sha256: string | null }) {
  return (
    <div className="space-y-3 text-sm [overflow-wrap:anywhere]">
      <div>
        <p className="text-muted">The line that was signed</p>
        <Line>{proof.statement.text}</Line>
      </div>
      {sha256 && (
        <div>
          <p className="text-muted">SHA-256 of this file. The report shows the same, also as a QR code.</p>
          <p className="font-mono text-xs">{sha256}</p>
        </div>
      )}
    </div>
  );
}
