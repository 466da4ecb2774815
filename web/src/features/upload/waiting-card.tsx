import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { plural, shorten } from '../../lib/format';
import { binaryOf } from '../../lib/psbt-text';
import { ANOTHER, choiceOf } from '../../lib/signers';
import { workQuery } from '../../lib/work-query';
import type { SignatureReport } from '../../psbt';
import { FirstFew } from '../../ui/long-list';
import { isMessage } from './binding';
import type { Waiting } from './stage';
import { ToSign, type Signing } from './to-sign';
import { WhatItShows } from './what-it-shows';
import type { ReadyFile } from './use-proof-file';

interface WaitingCardProps extends Signing {
  ready: ReadyFile;
  /** Empty when nobody has signed it. */
  waiting: Waiting[];
  check: SignatureReport | null | undefined;
  /** Whom the proof is for. */
  proofFor: string;
  /** The line in it, and what there is to know about it. */
  statement: string;
  notes?: ReactNode;
}

/** A proof that waits for its signatures: whose, and what to do meanwhile. */
export function WaitingCard({ ready, waiting, check, proofFor, statement, notes, ...signing }: WaitingCardProps) {
  const { file, contents, parts } = ready;
  const inputs = contents.report.inputs.length;
  const begun = waiting.length > 0;
  // What cannot be taken as binary can still be passed on as the file that it is.
  const { data: psbt } = useQuery(workQuery('binary', [file], () => binaryOf(file, contents.report.encoding)));
  return (
    <div className="enter space-y-4 text-sm">
      {begun ? (
        <p>
          <strong>{waiting.length === inputs ? 'Every input' : `${waiting.length} of ${plural(inputs, 'input')}`}</strong> still{' '}
          {waiting.length === 1 || waiting.length === inputs ? 'waits' : 'wait'} for signatures
          {parts > 1 ? `, after ${plural(parts, 'file')} were put together` : ''}. Drop the next signer’s file here: it joins this one.
        </p>
      ) : (
        <p>
          <strong className="[overflow-wrap:anywhere]">{file.name}</strong> is a proof for <bdi>{proofFor}</bdi>. It is not signed yet.
        </p>
      )}
      {begun ? (
        <Missing waiting={waiting} check={check} />
      ) : (
        <p className="text-muted">Already signed? This file has no signature. You probably signed with a watch-only wallet.</p>
      )}
      <ToSign psbt={psbt} name={file.name} label={begun ? 'Save it for the next signer' : 'Save the file to sign'} {...signing} />
      <WhatItShows signer={choiceOf(signing.wallet.id).signer ?? ANOTHER} statement={statement} form={isMessage(contents.report) ? 'message' : 'transaction'}>
        {notes}
      </WhatItShows>
    </div>
  );
}

function Missing({ waiting, check }: Pick<WaitingCardProps, 'waiting' | 'check'>) {
  return (
    <FirstFew
      items={waiting}
      render={({ input, has, needed }) => {
        const signers = (check?.inputs[input]?.signatures ?? []).flatMap(({ valid, key }) => (valid && key ? [shorten(key, 4)] : []));
        return (
          <li key={input}>
            Input {input + 1} has {has} of {needed ?? 'the'} signatures
            {signers.length > 0 && (
              <>
                , by the {signers.length === 1 ? 'key' : 'keys'} <span className="font-mono">{signers.join(', ')}</span>
              </>
            )}
            {needed !== null && `: ${needed - has} more`}.
          </li>
        );
      }}
    />
  );
}
