import { type ReactNode, useEffect, useState } from 'react';
import { formatSats, plural } from '../../lib/format';
import { ANOTHER, choiceOf, type Form, type Shown, type Signer, WITH_MESSAGES } from '../../lib/signers';
import { closeProofReader, isStop } from '../../psbt';
import { Button } from '../../ui/button';
import { FirstFew } from '../../ui/long-list';
import { Notice } from '../../ui/notice';
import { TextButton } from '../../ui/text-link';
import { Working } from '../../ui/working';
import { ProblemNotice } from './bring-file';
import { type Batch, FEW, ManyScripts, optionsOf, type Shape } from './many-scripts';
import { ToSign, type Signing } from './to-sign';
import { makingProblem, useMadeProof } from './use-made-proof';
import { WhatItShows } from './what-it-shows';

interface SignCardProps extends Signing {
  /** The chosen file, which is not a proof yet. */
  file: File;
  /** Whether it is signed as it is. */
  signed: boolean;
  statement: string;
  /** What a device has changed is made again as a transaction, which it leaves as it is. */
  changed: boolean;
  /** The files of it that count already, when its proof is made in several. */
  batch: Batch | null;
  onBatch: (batch: Batch) => void;
  /** Takes the file to sign, once it is made. */
  onMade?: ((psbt: Uint8Array<ArrayBuffer>) => void) | undefined;
  /** What there is to know about the statement. */
  notes?: ReactNode;
}

/** The second step: the proof that was made of a file, to be signed where its keys are. */
export function SignCard({ file, signed, statement, changed, batch, onBatch, onMade, notes, ...signing }: SignCardProps) {
  const signer = choiceOf(signing.wallet.id).signer ?? ANOTHER;
  const [other, setOther] = useState<{ signer: Signer; form: Form } | null>(null);
  const form = other?.signer === signer ? other.form : changed ? 'transaction' : (signer.form ?? 'transaction');
  const [shape, setShape] = useState<Shape>(batch ? { kind: 'split', part: batch.done } : { kind: 'one' });
  const { data: proof, isPending, error, refetch } = useMadeProof(file, { statement, form, ...(form === 'transaction' ? optionsOf(shape) : {}) });
  const parts = proof?.partCount ?? 1;
  const name = nameOf(statement, shape.kind === 'split' && parts > 1 ? `-${shape.part + 1}-of-${parts}` : '');
  const made = proof?.psbt;
  useEffect(() => {
    if (made) onMade?.(made);
  }, [made, onMade]);
  const split = shape.kind === 'split' ? shape.part : null;
  useEffect(() => {
    if (split !== null && parts > 1) onBatch({ source: file, of: parts, done: split });
  }, [file, parts, split, onBatch]);

  return (
    <div className="enter">
      {isPending && <Working onStop={closeProofReader}>Making a proof of {file.name}...</Working>}
      {isStop(error) && (
        <Notice role="status" title="You stopped it: no proof was made">
          <Button look="secondary" className="mt-2" onClick={() => void refetch()}>
            Make the Proof
          </Button>
        </Notice>
      )}
      {error && !isStop(error) && <ProblemNotice problem={makingProblem(error)} />}
      {proof && (
        <div className="space-y-4 text-sm">
          {batch && (
            <p>
              File {batch.done + 1} of {batch.of}: <strong className="num">{formatSats(proof.amountSats)} BTC</strong> in {plural(proof.inputCount, 'coin')}.
            </p>
          )}
          {form === 'transaction' && (proof.scriptCount > FEW || proof.partCount > 1) && (
            <ManyScripts proof={proof} shape={shape} onChange={setShape} />
          )}
          <ToSign psbt={proof.psbt} name={name} label="Save the file to sign" {...signing}>
            {signed && <Notice tone="warning" title="Your file is signed, so anyone who has it can send it" text="It doesn’t contain your statement, so it proves nothing here. Sign this proof instead, and delete that file." />}
            {proof.notes.length > 0 && (
              <Notice title="What your wallet may need">
                <FirstFew items={proof.notes} render={({ code, input, message }) => <li key={`${code} ${input}`}>{message}</li>} />
              </Notice>
            )}
          </ToSign>
          <WhatItShows signer={signer} statement={statement} form={form}>
            {notes}
          </WhatItShows>
          {signer.message ? (
            <FormChoice form={form} warning={signer.form === 'message' ? undefined : feeWarning(signer.message)} onChange={(chosen) => setOther({ signer, form: chosen })} />
          ) : (
            proof.notes.some(({ code }) => code === 'lock-not-met') && <p>{MESSAGES_IN}</p>
          )}
        </div>
      )}
    </div>
  );
}

/** The made file, named after its purpose and its account. */
function nameOf(statement: string, part: string): string {
  const words = statement.split(' ');
  // A proof for one reader names no site: its fourth word is the reader's.
  const whose = words[3]?.startsWith('for:') ? words[3].slice(4) : words.slice(4, -1).join('-');
  const name = whose.replaceAll(/[^\w.-]+/g, '');
  return `proof-to-sign-${name === '' ? 'mine' : name}${part}.psbt`;
}

/** For the coins that only a message can prove. */
const MESSAGES_IN = `Only ${WITH_MESSAGES.map(({ name }) => name).join(', ')} sign such a message.`;

const FORMS: Record<Form, { offer: string; other: Form }> = {
  transaction: { offer: 'Use a BIP-322 message instead', other: 'message' },
  message: { offer: 'Wallet refuses it? Use a transaction that no node accepts instead', other: 'transaction' },
};

/** What a signer says about the fee of a message, which has none. */
const feeWarning = ({ shows }: Shown) => shows.find(([label]) => label === 'Fee')?.[1];

function FormChoice({ form, warning, onChange }: { form: Form; /** Named before it is met. */ warning?: string | undefined; onChange: (form: Form) => void }) {
  const { offer, other } = FORMS[form];
  return (
    <p className="py-2">
      <TextButton onClick={() => onChange(other)}>{offer}</TextButton>
      {warning && other === 'message' && <span className="mt-1 block text-[0.8125rem] text-muted">Fee there: {warning}</span>}
    </p>
  );
}
