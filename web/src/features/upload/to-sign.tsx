import { type ReactNode, useState } from 'react';
import { Download, QrCode } from 'lucide-react';
import { toBase64 } from '../../lib/bytes';
import { download } from '../../lib/download';
import type { CodeForm } from '../../lib/qr/codes';
import { ANOTHER, choiceOf, codesOf, coreArguments, signingSteps } from '../../lib/signers';
import type { Wallet } from '../../lib/use-wallet';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { later } from '../../ui/later';
import { Spinner } from '../../ui/spinner';
import { StepList } from '../../ui/step-list';
import { StepsHead } from './steps-head';
import { WalletPicker } from './wallet-picker';

/** Drawing codes takes a library, which is loaded when they are asked for. */
const MadeCodes = later(() => import('./made-codes'), <Spinner />);

/** Where a file is signed. */
export interface Signing {
  network: string;
  wallet: Wallet;
  /** Development only: a wallet that signs a file in place of the holder's own. */
  walletFor?: ((file: Blob) => ReactNode) | undefined;
}

interface ToSignProps extends Signing {
  /** Undefined while it is being read. */
  psbt: Uint8Array<ArrayBuffer> | undefined;
  name: string;
  /** What the download is called. */
  label: string;
  /** What to know about the file. */
  children?: ReactNode;
}

/** A file for the signer, and how it is signed in the holder's wallet. */
export function ToSign({ psbt, name, label, network, wallet, walletFor, children }: ToSignProps) {
  const chosen = choiceOf(wallet.id).signer;
  const signer = chosen ?? ANOTHER;
  return (
    <>
      {psbt && <FileToSign psbt={psbt} name={name} label={label} codes={codesOf(signer)} />}
      {psbt && walletFor?.(new Blob([psbt]))}
      {children}
      {!chosen && <WalletPicker wallet={wallet} />}
      <section>
        <StepsHead>Sign it in your wallet</StepsHead>
        <StepList steps={signingSteps(signer)} values={{ network: coreArguments(network), file: quoted(name) }} />
      </section>
    </>
  );
}

/** A file name in a shell: anyone may have chosen it. */
const quoted = (name: string) => (/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);

/** As a download, as text, and as QR codes, in the form that the device reads. */
function FileToSign({ psbt, name, label, codes }: { psbt: Uint8Array<ArrayBuffer>; name: string; label: string; codes: CodeForm }) {
  const [shown, setShown] = useState(false);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={Download} size="field" onClick={() => download(new File([psbt], name, { type: 'application/octet-stream' }))}>
          {label}
        </Button>
        <Button icon={QrCode} look="secondary" size="field" aria-expanded={shown} onClick={() => setShown(!shown)}>
          Show as QR codes
        </Button>
        <CopyButton text={toBase64(psbt)} label="Copy the file to sign as text" />
      </div>
      <p className="font-mono text-xs [overflow-wrap:anywhere] text-muted">{name}</p>
      {shown && <MadeCodes key={codes} psbt={psbt} name={name} first={codes} />}
    </>
  );
}
