import { useState, type ReactNode } from 'react';
import { formatCount, formatSats, plural, shorten } from '../../lib/format';
import type { PsbtInput, PsbtOutput, SignatureReport } from '../../psbt';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { statementIn } from './binding';
import { scriptTypeName } from './script-types';
import { SignatureBadge } from './signatures';

/** Rows that show at once; more wait behind a button, because a consolidation may have thousands. */
const FIRST_ROWS = 20;

export function InputList({ inputs, check }: { inputs: PsbtInput[]; check: SignatureReport | null }) {
  return (
    <LongList
      noun="input"
      items={inputs}
      render={(input, index) => (
        <CoinRow key={`${input.txid}:${input.vout}`} index={index} amount={input.valueSats} address={input.address}>
          <span className="font-mono" title={`${input.txid}:${input.vout}`}>
            {shorten(input.txid)}:{input.vout}
          </span>
          <span>{scriptTypeName(input.scriptType)}</span>
          <Signed state={input.signatures} />
          <SignatureBadge check={check?.inputs[index]} />
        </CoinRow>
      )}
    />
  );
}

export function OutputList({ outputs }: { outputs: PsbtOutput[] }) {
  return (
    <LongList
      noun="output"
      items={outputs}
      render={(output, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an output has no identity but its position
        <CoinRow key={index} index={index} amount={output.valueSats} address={output.address ?? statementIn(output.scriptPubKey)}>
          <span>{scriptTypeName(output.scriptType)}</span>
        </CoinRow>
      )}
    />
  );
}

interface LongListProps<T> {
  noun: string;
  items: T[];
  render: (item: T, index: number) => ReactNode;
}

function LongList<T>({ noun, items, render }: LongListProps<T>) {
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, FIRST_ROWS);
  return (
    <div>
      <h3 className="mb-2 font-semibold">{plural(items.length, noun)}</h3>
      <ol className="divide-y divide-line rounded-xl border border-line">{shown.map(render)}</ol>
      {shown.length < items.length && (
        <Button look="ghost" className="mt-2" onClick={() => setAll(true)}>
          Show all {formatCount(items.length)} {noun}s
        </Button>
      )}
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

function Signed({ state }: { state: PsbtInput['signatures'] }) {
  const { tone, text } = SIGNED[state];
  return <Badge tone={tone}>{text}</Badge>;
}
