import { useEffect, useRef, useState } from 'react';
import { formatSats, plural } from '../../lib/format';
import { ANOTHER, codesOf, coreArguments, signingSteps, type Form, type Signer } from '../../lib/signers';
import { closeProofReader, type MadeProof } from '../../psbt';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Notice } from '../../ui/notice';
import { StepList } from '../../ui/step-list';
import { Working } from '../../ui/working';
import { ProblemNotice } from './bring-file';
import { WalletChoice } from './coins-card';
import { DevelopmentWallet } from './development-wallet';
import { FileToSign } from './file-to-sign';
import { FEW, ManyScripts, optionsOf, type Shape } from './many-scripts';
import { useMadeProof } from './use-made-proof';

interface SignCardProps {
  /** The chosen file, which is no proof yet. */
  file: File;
  /** Whether it is signed as it is. */
  signed: boolean;
  statement: string;
  network: string;
  wallet: Signer | null;
  onChoose: (id: string) => void;
  /** Development only: takes the file that the development wallet has signed. */
  onSigned: ((file: File) => void) | null;
}

/** The second step: the proof that was made of a file, to be signed where its keys are. */
export function SignCard({ file, signed, statement, network, wallet, onChoose, onSigned }: SignCardProps) {
  const signer = wallet ?? ANOTHER;
  const [other, setOther] = useState<{ signer: Signer; form: Form } | null>(null);
  const form = other?.signer === signer ? other.form : (signer.form ?? 'transaction');
  const [shape, setShape] = useState<Shape>({ kind: 'one' });
  const { making, again } = useMadeProof(file, { statement, form, ...(form === 'transaction' ? optionsOf(shape) : {}) });
  const top = useRef<HTMLParagraphElement>(null);
  const settled = making.state !== 'making';
  const parts = making.state === 'made' ? making.proof.parts : 1;
  const name = nameOf(statement, shape.kind === 'split' && parts > 1 ? `-${shape.part + 1}-of-${parts}` : '');
  useEffect(() => {
    if (settled) top.current?.focus();
  }, [settled]);

  return (
    <Card title="Sign" className="enter">
      {making.state === 'making' && (
        <Working onStop={closeProofReader}>Making a proof of {file.name}...</Working>
      )}
      {making.state === 'stopped' && (
        <Notice role="status" title="You stopped it: no proof was made">
          <Button look="secondary" className="mt-2" onClick={again}>
            Make the Proof
          </Button>
        </Notice>
      )}
      {making.state === 'failed' && (
        <ProblemNotice problem={making.problem} />
      )}
      {making.state === 'made' && (
        <div className="space-y-5 text-sm">
          <p ref={top} tabIndex={-1} className="scroll-mt-36">
            A proof was made of <strong className="[overflow-wrap:anywhere]">{file.name}</strong> in this browser: it proves{' '}
            <strong className="num">{formatSats(making.proof.amountSats)} BTC</strong> in {plural(making.proof.inputs, 'coin')},
            and is not signed yet.
          </p>
          {signed && (
            <Notice tone="warning" title="Your file itself is signed, and somebody could send it">
              <p>It does not carry your statement, so it proves nothing here. Sign the made proof instead, and delete that file.</p>
            </Notice>
          )}
          {form === 'transaction' && (making.proof.scripts > FEW || making.proof.parts > 1) && (
            <ManyScripts proof={making.proof} shape={shape} onChange={setShape} />
          )}
          <FileToSign psbt={making.proof.psbt} name={name} label="Download the File to Sign" codes={codesOf(signer)} />
          {onSigned && <DevelopmentWallet file={new Blob([making.proof.psbt])} onSigned={onSigned} />}
          <Notes notes={making.proof.notes} />
          {wallet ? null : <WalletChoice wallet={wallet} onChoose={onChoose} />}
          <StepList steps={signingSteps(signer)} values={{ network: coreArguments(network), file: name }} />
          <Shown signer={signer} statement={statement} form={form} />
          <FormChoice form={form} onChange={(chosen) => setOther({ signer, form: chosen })} />
        </div>
      )}
    </Card>
  );
}

/** The made file under a name that tells what it is, and for whom. */
function nameOf(statement: string, part: string): string {
  const name = statement.split(' ').slice(4, -1).join('-').replaceAll(/[^\w.-]+/g, '');
  return `proof-to-sign-${name === '' ? 'mine' : name}${part}.psbt`;
}

const NAMED = 5;

function Notes({ notes }: { notes: MadeProof['notes'] }) {
  if (notes.length === 0) return null;
  const more = notes.length - NAMED;
  return (
    <Notice title="What your wallet may need">
      <ul className="list-disc pl-5">
        {notes.slice(0, NAMED).map(({ code, input, message }) => (
          <li key={`${code} ${input}`}>{message}</li>
        ))}
      </ul>
      {more > 0 && <p>And {more} more.</p>}
    </Notice>
  );
}

function Shown({ signer, statement, form }: { signer: Signer; statement: string; form: Form }) {
  return (
    <div className="rounded-xl border border-line p-4">
      <h3 className="font-semibold">What you will be shown, and why it is safe</h3>
      <ul className="mt-2 list-disc space-y-1 pl-5">
        {signer.shows && <li>{signer.shows}</li>}
        <li>
          Your statement: <span className="font-mono [overflow-wrap:anywhere]">{statement}</span>. Do not sign when the site or
          the name is another.
        </li>
        {form === 'message' ? (
          <li>It is a message over your coins, and no transaction of any chain.</li>
        ) : (
          <li>Each of your addresses with exactly what it has now, and no fee.</li>
        )}
        {signer.kind === 'device' && <li>Its words were read in its source; nobody has tried this with the device itself yet.</li>}
      </ul>
    </div>
  );
}

const FORMS: Record<Form, { offer: string; other: Form }> = {
  transaction: { offer: 'Your wallet signs BIP-322 messages over coins? Make it as a message instead', other: 'message' },
  message: { offer: 'Your wallet refuses it? Make it as a transaction that no node takes', other: 'transaction' },
};

function FormChoice({ form, onChange }: { form: Form; onChange: (form: Form) => void }) {
  const { offer, other } = FORMS[form];
  return (
    <Button look="ghost" className="-mx-3 max-w-full shrink text-left" size="small" onClick={() => onChange(other)}>
      {offer}
    </Button>
  );
}
