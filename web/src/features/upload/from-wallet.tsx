import type { ReactNode } from 'react';
import type { Wallet } from '../../lib/use-wallet';
import { later } from '../../ui/later';
import { BringFile, type Bringing } from './bring-file';
import { StepHeading } from './step-trail';
import { WalletPicker } from './wallet-picker';
import { Way } from './way';

/** The table of wallets is large, and comes with the choice of one. */
const WalletSteps = later(() => import('./wallet-steps'));

interface FromWalletProps extends Bringing {
  wallet: Wallet;
  network: string;
  hint: string;
  /** The text below the heading. */
  children?: ReactNode;
}

/** Which wallet, how the coins' file comes out of it, and the place for it. */
export function FromWallet({ wallet, network, hint, children, ...bringing }: FromWalletProps) {
  const place = <BringFile title="Drop the unsigned PSBT here" hint={hint} {...bringing} />;
  return (
    <>
      <StepHeading>Bring a file with your coins</StepHeading>
      {children}
      <Way />
      <WalletPicker wallet={wallet} />
      {wallet.id === null ? (
        place
      ) : (
        <WalletSteps id={wallet.id} network={network}>
          {place}
        </WalletSteps>
      )}
    </>
  );
}
