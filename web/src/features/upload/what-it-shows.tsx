import type { ReactNode } from 'react';
import { piecesOf, printedLine, type Piece } from '../../lib/printed';
import { ANOTHER, type Form, type Print, type Signer } from '../../lib/signers';
import { CopyButton } from '../../ui/copy-button';
import { Labelled } from '../../ui/step-list';

interface WhatItShowsProps {
  signer: Signer;
  statement: string;
  form: Form;
  /** How long the statement counts, and what else there is to know about it. */
  children?: ReactNode;
}

/** What the chosen wallet or device shows while it signs, in its own form, and what of it to compare. */
export function WhatItShows({ signer, statement, form, children }: WhatItShowsProps) {
  const { shows, prints } = (form === 'message' && signer.message) || signer.transaction;
  const lines = prints.map((print) => ({ print, ...printedLine(print, statement) }));
  const readable = lines.some((line) => line.readable);
  const forReader = statement.startsWith('Proof of Reserves for:');
  const hexadecimal = prints.length > 0 && prints.every(({ line }) => !/\{(text|tail)\}/.test(line));
  return (
    <section aria-label={`What ${nameOf(signer)} shows`} className="rounded-card border border-line bg-surface p-5 text-sm shadow-card">
      <h3 className="pb-3 font-semibold">What {nameOf(signer)} shows</h3>
      <dl className="divide-y divide-line border-y border-line">
        {shows.map(([label, text]) => (
          <Row key={label} label={label}>
            <Labelled text={text} />
          </Row>
        ))}
        <Row label={forReader ? 'The line you sign' : 'Your statement'}>
          {readable ? <p>{hexadecimal ? 'In hexadecimal. Compare the marked part:' : 'Compare the marked part:'}</p> : <p className="font-medium">Nothing of it can be read there.</p>}
          {lines.map(({ print, pieces }) => (
            <Printed key={print.line} print={print} pieces={pieces} />
          ))}
          <p className="mt-2 flex items-start gap-2 text-muted">
            <span className="min-w-0 flex-1">
              {readable && !hexadecimal ? 'The whole line:' : readable ? 'It reads:' : 'It is:'}{' '}
              <span className="font-mono text-[0.8125rem] [overflow-wrap:anywhere] text-ink">
                <Pieces pieces={piecesOf(statement)} />
              </span>
            </span>
            <CopyButton text={statement} label="Copy the statement" />
          </p>
          {children}
        </Row>
      </dl>
      <p className="pt-3 font-semibold">
        {readable
          ? `Another ${forReader ? 'request' : 'site or name'}? Don’t sign.`
          : form === 'message'
            ? 'What protects you: a message is no transaction, and this page checks what comes back.'
            : 'What protects you: only addresses of your own, no fee, and this page checks what comes back. Anything else? Don’t sign.'}
      </p>
    </section>
  );
}

/** How a sentence speaks of a signer. */
export function nameOf(signer: Signer): string {
  if (signer === ANOTHER) return 'your wallet';
  return signer.kind === 'device' ? `your ${signer.name}` : signer.name;
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="gap-x-4 py-2.5 sm:grid sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function Printed({ print, pieces }: { print: Print; pieces: Piece[] }) {
  return (
    <div className="mt-2">
      {print.on && <p className="text-[0.8125rem] text-muted">{print.on}</p>}
      <p data-printed="" className="rounded-lg bg-raised p-3 font-mono text-[0.8125rem] break-all">
        <Pieces pieces={pieces} />
      </p>
    </div>
  );
}

/** Text with the parts to compare marked. */
function Pieces({ pieces }: { pieces: Piece[] }) {
  // oxlint-disable-next-line react/no-array-index-key -- the parts of a fixed text
  return pieces.map(({ text, marked }, at) => (marked ? <mark key={at} className="rounded-sm bg-accent-soft px-0.5 font-semibold text-accent-ink">{text}</mark> : text));
}
