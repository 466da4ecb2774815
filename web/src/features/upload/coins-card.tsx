import { coreArguments, SIGNERS, ANOTHER, type Signer } from '../../lib/signers';
import { Card } from '../../ui/card';
import { Notice } from '../../ui/notice';
import { StepList } from '../../ui/step-list';

interface WalletProps {
  wallet: Signer | null;
  onChoose: (id: string) => void;
}

/** The first step: which wallet, and how a file over one's coins comes out of it. */
export function CoinsCard({ wallet, onChoose, network }: WalletProps & { network: string }) {
  return (
    <Card title="Your coins">
      <WalletChoice wallet={wallet} onChoose={onChoose} />
      {wallet && (
        <div className="mt-5 space-y-4 text-sm">
          {wallet.trouble && <Trouble wallet={wallet} />}
          <StepList steps={wallet.coins} values={{ network: coreArguments(network), file: '' }} />
          <p className="text-muted">
            This page makes the proof of that file, in your browser. The file itself need not be signed, and is never sent.
          </p>
        </div>
      )}
    </Card>
  );
}

/** What is known to go wrong with a wallet, before any work is put into it. */
function Trouble({ wallet }: { wallet: Signer }) {
  const cannot = wallet.form === null;
  return (
    <Notice tone="warning" title={cannot ? `${wallet.name} cannot sign a proof at present` : `${wallet.name} may not sign it`}>
      <p>{wallet.trouble}</p>
    </Notice>
  );
}

/** The wallet is chosen once on a device. */
export function WalletChoice({ wallet, onChoose }: WalletProps) {
  return (
    <label className="block text-sm font-medium">
      What do you sign with?
      <select
        value={wallet?.id ?? ''}
        onChange={(event) => onChoose(event.target.value)}
        className="mt-1.5 block h-12 w-full rounded-lg border border-line-strong bg-surface px-3 text-base text-ink"
      >
        <option value="" disabled>
          Choose your wallet or device
        </option>
        <optgroup label="Programs">{optionsOf('program')}</optgroup>
        <optgroup label="Devices">{optionsOf('device')}</optgroup>
        <option value={ANOTHER.id}>{ANOTHER.name}</option>
      </select>
    </label>
  );
}

function optionsOf(kind: Signer['kind']) {
  return SIGNERS.filter((signer) => signer.kind === kind).map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
}
