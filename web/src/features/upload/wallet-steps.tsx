import type { ReactNode } from 'react';
import { ANOTHER, checkedWords, choiceOf, coreArguments, IN_SPARROW, type Signer } from '../../lib/signers';
import { Notice } from '../../ui/notice';
import { Labelled, StepList } from '../../ui/step-list';
import { DocumentLink } from '../../ui/text-link';
import { StepsHead } from './steps-head';

interface WalletStepsProps {
  /** The chosen wallet. */
  id: string;
  network: string;
  /** The place for the file. */
  children: ReactNode;
}

/** How the coins' file comes out of the chosen wallet. What cannot be proven has an answer in place of the place for a file. */
export default function WalletSteps({ id, network, children }: WalletStepsProps) {
  const { signer, unable } = choiceOf(id);
  return (
    <>
      {unable && (
        <Notice tone="warning" title={unable.name}>
          <p>
            <Labelled text={unable.answer} />
          </p>
          <CheckedLine {...unable} />
        </Notice>
      )}
      {signer?.trouble && <Notice tone="warning" title={signer.form === null ? `${signer.name} cannot sign a proof at present` : `${signer.name} may not sign it`} text={signer.trouble} />}
      {signer && (
        <section className="space-y-2 text-sm">
          <StepsHead>Make the file in {signer === ANOTHER ? 'your wallet' : signer.coins.includes(IN_SPARROW) ? 'Sparrow' : signer.name}</StepsHead>
          <StepList steps={signer.coins} values={{ network: coreArguments(network), file: '' }} />
          {signer.limit && <p className="text-[0.8125rem] text-muted">{signer.limit}</p>}
          <CheckedLine {...signer} />
        </section>
      )}
      {signer && children}
    </>
  );
}

/** How a row of the table is known, with its source. */
function CheckedLine({ checked, source }: Pick<Signer, 'checked' | 'source'>) {
  if (!checked || !source) return null;
  return (
    <p className="text-xs text-muted">
      {checkedWords(checked)} <DocumentLink to={source}>Source</DocumentLink>
    </p>
  );
}
