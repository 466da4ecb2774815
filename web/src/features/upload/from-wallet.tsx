import type { ReactNode } from 'react';
import { ANOTHER, coreArguments, IN_SPARROW } from '../../lib/signers';
import type { Wallet } from '../../lib/use-wallet';
import { Notice } from '../../ui/notice';
import { StepList } from '../../ui/step-list';
import { BringFile, type Bringing } from './bring-file';
import { StepHeading } from './step-trail';
import { StepsHead, WalletPicker } from './wallet-picker';

interface FromWalletProps extends Bringing {
  wallet: Wallet;
  network: string;
  hint: string;
  /** Below the heading. */
  children: ReactNode;
}

/** Which wallet, its file, and how the file comes out of it. */
export function FromWallet({ wallet, network, hint, children, ...bringing }: FromWalletProps) {
  const { signer, unable } = wallet;
  return (
    <>
      <StepHeading>Which wallet or device holds your bitcoin?</StepHeading>
      {children}
      <WalletPicker wallet={wallet} />
      <BringFile title={signer && signer !== ANOTHER ? `Drop the file from ${signer.name}` : 'Drop a PSBT of your coins'} hint={hint} {...bringing} />
      <div className="space-y-4 text-sm">
        {unable && <Notice tone="warning" title={unable.name} text={unable.answer} />}
        {signer?.trouble && <Notice tone="warning" title={signer.form === null ? `${signer.name} cannot sign a proof at present` : `${signer.name} may not sign it`} text={signer.trouble} />}
        {signer && (
          <section>
            <StepsHead signer={signer}>Make the file in {signer === ANOTHER ? 'your wallet' : signer.coins.includes(IN_SPARROW) ? 'Sparrow' : signer.name}</StepsHead>
            <StepList steps={signer.coins} values={{ network: coreArguments(network), file: '' }} />
          </section>
        )}
        {!signer && !unable && <p className="text-muted">Choose your wallet above: the steps are different in each. Already have a PSBT of your coins? Drop it here.</p>}
      </div>
    </>
  );
}
