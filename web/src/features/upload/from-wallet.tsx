import type { ReactNode } from 'react';
import { ANOTHER, coreArguments, IN_SPARROW } from '../../lib/signers';
import type { Wallet } from '../../lib/use-wallet';
import { Notice } from '../../ui/notice';
import { Labelled, StepList } from '../../ui/step-list';
import { BringFile, type Bringing } from './bring-file';
import { StepHeading } from './step-trail';
import { CheckedLine, StepsHead, WalletPicker } from './wallet-picker';
import { Way } from './way';

interface FromWalletProps extends Bringing {
  wallet: Wallet;
  network: string;
  hint: string;
  /** Below the heading. */
  children?: ReactNode;
}

/** Which wallet, how the coins' file comes out of it, and the place for it. What cannot be proven has an answer in its place. */
export function FromWallet({ wallet, network, hint, children, ...bringing }: FromWalletProps) {
  const { signer, unable } = wallet;
  return (
    <>
      <StepHeading>Bring a file with your coins</StepHeading>
      {children}
      <Way />
      <WalletPicker wallet={wallet} />
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
      {(signer || !unable) && <BringFile title="Drop the unsigned PSBT here" hint={hint} {...bringing} />}
    </>
  );
}
