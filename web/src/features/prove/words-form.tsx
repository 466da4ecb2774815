import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { CHAINS } from '../../lib/chains';
import { normalizeWords, readerStatement, type Network } from '../../psbt';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { Select } from '../../ui/select';
import { TextField } from '../../ui/text-field';
import { TextButton } from '../../ui/text-link';
import { More } from '../../ui/more';
import { messageOf, UserFacingError } from '../../lib/errors';
import { SourceFields, useSource } from '../verify/source-choice';
import { Mixed, useMixed } from '../verify/mixed';
import { newNonce, requestOf, type Asked } from './asked';
import { newestBlock, pastedBlock, type DatingBlock } from './block';
import { submitted } from '../../lib/submitted';

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
  const source = useSource(MAINNET_SOURCES);
  const mixed = useMixed(words);
  const begin = useMutation({
    mutationFn: async (): Promise<Asked> => {
      const own = await normalizeWords(words).catch(faultIn('words'));
      const holder = await normalizeWords(name).catch(faultIn('name'));
      const asked = { words: own.text, name: holder.text, nonce: newNonce(), block: await blockOf(paste, source.take) };
      return { ...asked, statement: await readerStatement(requestOf(asked)).catch(faultIn('block')) };
    },
    onSuccess: onAsked,
  });
  const faultOf = (field: Fault['field']) => (begin.error instanceof Fault && begin.error.field === field ? begin.error.message : null);
  return (
    <form onSubmit={submitted(() => begin.mutate())} className="space-y-6">
      <TextField
        label="The request"
        value={words}
        onText={setWords}
        rows={2}
        fault={faultOf('words')}
        hint={linked === null ? 'Paste it exactly as the reader gave it. No request yet? Ask the reader for one: each reader needs their own.' : 'It came with the link. Anyone can make such a link: check that your reader sent it.'}
      />
      <Mixed words={mixed} before="The request mixes" after="Someone may be posing as your reader." />
      <fieldset className="space-y-2 rounded-xl border border-line bg-surface p-4 text-sm">
        <legend className="sr-only">Who gave you the request</legend>
        <p className="font-semibold">The person named in this request will believe this proof. Did they give it to you?</p>
        <label className="flex items-start gap-3">
          <input type="checkbox" checked={given} onChange={({ target }) => setGiven(target.checked)} className="mt-0.5 size-5 shrink-0 accent-accent-ink" />
          Yes, they gave me this request themselves
        </label>
        <p className="text-muted">If a stranger passed it on to you, the stranger could show your coins as their own.</p>
      </fieldset>
      <TextField label="Your name, as the reader knows you" value={name} onText={setName} rows={1} fault={faultOf('name')} hint="The report says “says they are …”. Nobody checks it." />
      <section className="space-y-3">
        <h3 className="font-semibold">A block to date it</h3>
        <p className="text-sm text-muted">Your proof commits to a recent block, so the reader knows that it was signed after it.</p>
        {paste ? (
          <PasteFields paste={paste} onChange={setPaste} />
        ) : (
          <div className="space-y-4 text-sm">
            <SourceFields offered={MAINNET_SOURCES} source={source} note="The block explorer will see your IP address, and nothing about your coins yet." />
          </div>
        )}
        <p className="py-1 text-sm">
          <TextButton onClick={() => setPaste(paste ? null : { header: '', height: '', network: 'mainnet' })}>
            {paste ? 'Ask a block explorer instead' : 'Offline? Paste a block header instead'}
          </TextButton>
        </p>
        {faultOf('block') && <Notice tone="danger" role="alert" text={faultOf('block')} />}
      </section>
      <Button type="submit" size="large" disabled={begin.isPending || !given || words.trim() === '' || name.trim() === ''}>
        {begin.isPending ? 'Getting the block...' : 'Continue'}
      </Button>
      <More title="What the reader learns" boxed>
        <p>The reader learns these addresses and can watch them from then on. So can the block explorer that is asked about them, by you or by the reader.</p>
        <p>This page sends nothing: no account, no cookie, no upload. It keeps the request and your name in this browser until the proof is done.</p>
      </More>
    </form>
  );
}

/** What is wrong with a field of this form. */
class Fault extends UserFacingError {
  constructor(
    readonly field: 'words' | 'name' | 'block' | 'source',
    message: string,
  ) {
    super(message);
  }
}

const faultIn = (field: Fault['field']) => (error: unknown) => {
  throw new Fault(field, messageOf(error, UNREADABLE));
};

async function blockOf(paste: Paste | null, takeSource: () => string | null): Promise<DatingBlock> {
  const source = paste ? null : takeSource();
  const block = paste ? pastedBlock(paste.header, paste.height, paste.network) : source && (await newestBlock(source).catch(faultIn('block')));
  // The fields for the source show its fault.
  if (!block) throw new Fault('source', '');
  if (typeof block === 'string') throw new Fault('block', block);
  return block;
}

interface Paste {
  header: string;
  height: string;
  network: Network;
}

function PasteFields({ paste, onChange }: { paste: Paste; onChange: (paste: Paste) => void }) {
  return (
    <div className="space-y-4">
      <Notice text="Nobody checks a block that you paste. If the chain does not have it, the reader reads “not dated”." />
      <TextField label="Block header" mono value={paste.header} onText={(header) => onChange({ ...paste, header })} rows={3} hint="160 hexadecimal digits. In Bitcoin Core: getblockheader HASH false, of a block that has six above it." />
      <TextField label="Height of the block" value={paste.height} onText={(height) => onChange({ ...paste, height })} rows={1} />
      <Select label="Network" value={paste.network} options={NETWORKS} onChange={(network) => onChange({ ...paste, network: network as Network })} />
    </div>
  );
}
