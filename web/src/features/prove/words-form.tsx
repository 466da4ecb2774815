import { useState, type FormEvent } from 'react';
import { SourceError } from '../../api/elsewhere';
import { CHAINS } from '../../lib/chains';
import { normalizeWords, readerStatement, type Network, type Words } from '../../psbt';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { Select } from '../../ui/select';
import { TextField } from '../../ui/text-field';
import { More } from '../upload/more';
import { messageOf } from '../../lib/errors';
import { SourceFields, useSource } from '../verify/source-choice';
import { useMixed } from '../verify/use-mixed';
import { newNonce, requestOf, type Asked } from './asked';
import { newestBlock, pastedBlock } from './block';

const UNREADABLE = 'This text couldn’t be read. Reload the page, or try another browser.';
const NETWORKS = CHAINS.map(({ network }): [Network, string] => [network, network === 'mainnet' ? 'Bitcoin' : network]);
const MAINNET_SOURCES = CHAINS[0]?.sources ?? [];

interface WordsFormProps {
  /** The words of a link; null without one. */
  linked: string | null;
  onAsked: (asked: Asked) => void;
}

/** The first step: the reader, the holder, and the block that dates the proof. */
export function WordsForm({ linked, onAsked }: WordsFormProps) {
  const [words, setWords] = useState(linked ?? '');
  const [name, setName] = useState('');
  const [given, setGiven] = useState(false);
  const [paste, setPaste] = useState<Paste | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ of: 'words' | 'name' | 'block'; text: string } | null>(null);
  const source = useSource(MAINNET_SOURCES);
  const mixed = useMixed(words);
  const faultOf = (of: string) => (problem?.of === of ? problem.text : null);

  const submit = async () => {
    const own = await normalOrFault(words);
    if ('fault' in own) return setProblem({ of: 'words', text: own.fault });
    const holder = await normalOrFault(name);
    if ('fault' in holder) return setProblem({ of: 'name', text: holder.fault });
    const block = await blockOf(paste, source.take);
    if (block === null) return setProblem(null);
    if (typeof block === 'string') return setProblem({ of: 'block', text: block });
    const asked = { words: own.text, name: holder.text, nonce: newNonce(), block };
    try {
      onAsked({ ...asked, statement: await readerStatement(requestOf(asked)) });
    } catch (error) {
      setProblem({ of: 'block', text: messageOf(error, UNREADABLE) });
    }
    return undefined;
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    void submit().finally(() => setBusy(false));
  };
  return (
    <form onSubmit={send} className="space-y-6">
      <TextField
        label="The reader’s words"
        value={words}
        onText={setWords}
        rows={2}
        fault={faultOf('words')}
        hint={linked === null ? 'Paste them exactly as the reader gave them. No words yet? Ask the reader for some: each reader needs words of their own.' : 'They came with the link. Anyone can make such a link: check that your reader sent it.'}
      />
      {mixed.length > 0 && (
        <Notice tone="warning" title="Letters that look alike">
          <p>
            These mix letters of several alphabets: <bdi>{mixed.join(', ')}</bdi>. Someone may be posing as your reader.
          </p>
        </Notice>
      )}
      <fieldset className="space-y-2 rounded-xl border border-line bg-surface p-4 text-sm">
        <legend className="sr-only">Who gave you the words</legend>
        <p className="font-semibold">The person named in these words will believe this proof. Did they give you the words?</p>
        <label className="flex items-start gap-3">
          <input type="checkbox" checked={given} onChange={({ target }) => setGiven(target.checked)} className="mt-0.5 size-5 shrink-0 accent-accent-ink" />
          Yes, they gave me these words themselves
        </label>
        <p className="text-muted">If a stranger passed them on to you, the stranger could show your coins as their own.</p>
      </fieldset>
      <TextField label="Your name, as the reader knows you" value={name} onText={setName} rows={1} fault={faultOf('name')} hint="The report says “says they are …”. Nobody checks it." />
      <section className="space-y-3">
        <h3 className="font-semibold">A block to date it</h3>
        <p className="text-sm text-muted">Your proof commits to a recent block, so the reader knows that it was signed after it.</p>
        {paste ? (
          <PasteFields paste={paste} onChange={setPaste} />
        ) : (
          <div className="space-y-4 text-sm">
            <SourceFields offered={MAINNET_SOURCES} source={source} legend="Choose a block explorer. It will see your IP address, and nothing about your coins yet." />
          </div>
        )}
        <Button look="ghost" size="small" className="-mx-3" onClick={() => setPaste(paste ? null : { header: '', height: '', network: 'mainnet' })}>
          {paste ? 'Ask a block explorer instead' : 'Offline? Paste a block header instead'}
        </Button>
        {faultOf('block') && (
          <Notice tone="danger" role="alert">
            <p>{faultOf('block')}</p>
          </Notice>
        )}
      </section>
      <Button type="submit" size="large" disabled={busy || !given || words.trim() === '' || name.trim() === ''}>
        {busy ? 'Getting the block...' : 'Continue'}
      </Button>
      <div className="rounded-card border border-line bg-surface px-5">
        <More title="What the reader learns">
          <p>The reader learns these addresses and can watch them from then on. So can the block explorer that is asked about them, by you or by the reader.</p>
          <p>This page sends nothing: no account, no cookie, no upload. It keeps the words and your name in this browser until the proof is done.</p>
        </More>
      </div>
    </form>
  );
}

/** A text in its normal form, or what is wrong with it. */
async function normalOrFault(text: string): Promise<Words | { fault: string }> {
  try {
    return await normalizeWords(text);
  } catch (error) {
    return { fault: messageOf(error, UNREADABLE) };
  }
}

/** The block; a sentence when there is none, and null when the chosen source says itself what is wrong. */
async function blockOf(paste: Paste | null, takeSource: () => string | null) {
  if (paste) return pastedBlock(paste.header, paste.height, paste.network);
  const source = takeSource();
  if (!source) return null;
  try {
    return await newestBlock(source);
  } catch (error) {
    return error instanceof SourceError ? error.message : UNREADABLE;
  }
}

interface Paste {
  header: string;
  height: string;
  network: Network;
}

function PasteFields({ paste, onChange }: { paste: Paste; onChange: (paste: Paste) => void }) {
  return (
    <div className="space-y-4">
      <Notice>
        <p>Nobody checks a block that you paste. If the chain does not have it, the reader reads “not dated”.</p>
      </Notice>
      <TextField label="Block header" mono value={paste.header} onText={(header) => onChange({ ...paste, header })} rows={3} hint="160 hexadecimal digits. In Bitcoin Core: getblockheader HASH false, of a block that has six above it." />
      <TextField label="Height of the block" value={paste.height} onText={(height) => onChange({ ...paste, height })} rows={1} />
      <Select label="Network" value={paste.network} options={NETWORKS} onChange={(network) => onChange({ ...paste, network: network as Network })} />
    </div>
  );
}
