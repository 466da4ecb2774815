import type { ReactNode } from 'react';
import { fromHex } from '../../lib/bytes';
import { formatSats, plural, shorten } from '../../lib/format';
import type { PsbtInput, PsbtOutput, ScriptType, SignatureReport, SignatureState } from '../../psbt';
import { Badge } from '../../ui/badge';
import { LongList } from '../../ui/long-list';
import { SignatureBadge } from './signatures';

export function InputList({ inputs, check }: { inputs: PsbtInput[]; check: SignatureReport | null }) {
  return (
    <Coins
      noun="input"
      items={inputs}
      render={(input, index) => (
        <CoinRow key={`${input.txid}:${input.vout}`} index={index} amount={input.valueSats} address={input.address}>
          <span className="font-mono" title={`${input.txid}:${input.vout}`}>
            {shorten(input.txid)}:{input.vout}
          </span>
          <span>{scriptTypeName(input.scriptType)}</span>
          <Signed state={input.signatureState} />
          <SignatureBadge check={check?.inputs[index]} />
        </CoinRow>
      )}
    />
  );
}

/** The longest direct push of a script, after OP_RETURN and its length. */
const MOST_BYTES = 2 + 75;

/** The text that an OP_RETURN carries in one direct push, a statement for instance; null for another script and for what is not readable. */
function textIn(script: string): string | null {
  if (script.length > 2 * MOST_BYTES) return null;
  const [code, length, ...push] = fromHex(script) ?? [];
  const text = String.fromCodePoint(...push);
  return code === 0x6a && length === push.length && /^[ -~]+$/.test(text) ? text : null;
}

export function OutputList({ outputs }: { outputs: PsbtOutput[] }) {
  return (
    <Coins
      noun="output"
      items={outputs}
      render={(output, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an output has no identity but its position
        <CoinRow key={index} index={index} amount={output.valueSats} address={output.address ?? textIn(output.scriptPubKey)}>
          <span>{scriptTypeName(output.scriptType)}</span>
        </CoinRow>
      )}
    />
  );
}

/** The number of coins above their list. */
function Coins<T>({ noun, items, render }: { noun: string; items: T[]; render: (item: T, index: number) => ReactNode }) {
  return (
    <div>
      <h3 className="mb-2 font-semibold">{plural(items.length, noun)}</h3>
      <LongList noun={noun} items={items} className="divide-y divide-line rounded-xl border border-line" render={render} />
    </div>
  );
}

interface CoinRowProps {
  index: number;
  amount: bigint | null;
  address: string | null;
  children: ReactNode;
}

function CoinRow({ index, amount, address, children }: CoinRowProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3 text-sm">
      <span className="num w-6 text-muted">#{index + 1}</span>
      <span className="min-w-0 flex-1 basis-56 font-mono [overflow-wrap:anywhere]">{address ?? 'No address'}</span>
      <span className="num ml-auto font-semibold whitespace-nowrap">
        {amount === null ? 'Amount not in the file' : `${formatSats(amount)} BTC`}
      </span>
      <span className="flex basis-full flex-wrap items-center gap-x-4 gap-y-1 pl-10 text-xs text-muted">{children}</span>
    </li>
  );
}

const SIGNED = {
  final: { tone: 'positive', text: 'Signed' },
  partial: { tone: 'positive', text: 'Signed, not finalized' },
  none: { tone: 'warning', text: 'Not signed' },
} as const;

function Signed({ state }: { state: SignatureState }) {
  const { tone, text } = SIGNED[state];
  return <Badge tone={tone}>{text}</Badge>;
}

const NAMES: Record<NonNullable<ScriptType>, string> = {
  p2pk: 'P2PK (legacy)',
  p2pkh: 'P2PKH (legacy)',
  p2sh: 'P2SH',
  p2wpkh: 'P2WPKH (SegWit)',
  p2wsh: 'P2WSH (SegWit)',
  'p2sh-p2wpkh': 'P2SH-P2WPKH (nested SegWit)',
  'p2sh-p2wsh': 'P2SH-P2WSH (nested SegWit)',
  p2tr: 'P2TR (Taproot)',
  p2ms: 'Bare multisig',
  'op-return': 'OP_RETURN (data)',
  p2a: 'P2A (anchor)',
  unknown: 'Non-standard script',
};

/** A script type in words. Null when the file does not carry the script. */
function scriptTypeName(type: ScriptType): string {
  return type === null ? 'Script not in the file' : NAMES[type];
}
