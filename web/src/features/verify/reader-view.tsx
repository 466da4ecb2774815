import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { sourcesFor } from '../../lib/chains';
import { normalizeWords } from '../../psbt';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Line } from '../../ui/copied';
import { Notice } from '../../ui/notice';
import { TextField } from '../../ui/text-field';
import { CoinTable } from './coin-table';
import { Columns, Part, Steps } from './columns';
import { differenceOf, readerTitle, readerVerdict } from './judge-reader';
import type { Evidence } from './proof';
import { messageOf } from '../../lib/errors';
import { SourceChoice } from './source-choice';
import { Sentence, told } from './told';
import { useCoins } from './use-coins';
import { Mixed, useMixed } from './mixed';
import type { Read } from './use-proof';
import { submitted } from '../../lib/submitted';

const TONES = { right: 'positive', open: 'info', false: 'danger', nobody: 'info' } as const;

/** A proof for one reader: the reader's own words first, then what everybody can check. */
export function ReaderView({ proof, checked, sha256, origin }: Read & { origin: string }) {
  const [words, setWords] = useState<string | null>(null);
  const asking = useCoins(proof, checked?.report ?? null);
  const [now] = useState(Date.now);
  const { subject } = proof.statement;
  const verdict = readerVerdict({ proof, board: told``, origin, check: checked?.check ?? null, asked: asking.asked, now, words });
  const isOpen = verdict.state === 'open' && words !== null && asking.asked?.height != null && !asking.busy;
  const main = (
    <>
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
      <Steps steps={verdict.steps} warns={isOpen} />
    </>
  );
  const aside = (
    <>
      <Part title="Who made it">
        <Maker proof={proof} sha256={sha256} />
      </Part>
      {checked && (
        <Part title="The coins">
          <CoinTable proof={proof} report={checked.report} states={asking.asked?.states ?? null} />
        </Part>
      )}
    </>
  );
  return <Columns main={main} aside={aside} />;
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

function Maker({ proof, sha256 }: { proof: Evidence; sha256: string | null }) {
  const { text, name } = proof.statement;
  return (
    <div className="space-y-3 text-sm [overflow-wrap:anywhere]">
      <p>
        The holder says they are “<bdi className="font-semibold">{name}</bdi>”. Nobody checked this name.
      </p>
      <div>
        <p className="text-muted">The line that was signed</p>
        <Line>{text}</Line>
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
