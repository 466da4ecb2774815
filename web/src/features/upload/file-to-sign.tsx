import { useState } from 'react';
import { Download, QrCode } from 'lucide-react';
import { toBase64 } from '../../lib/bytes';
import { download } from '../../lib/download';
import type { CodeForm } from '../../lib/qr/codes';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { Spinner } from '../../ui/spinner';
import { later } from '../../ui/later';

/** Drawing codes takes a library, which is loaded when they are asked for. */
const MadeCodes = later(() => import('./made-codes'), <Spinner />);

interface FileToSignProps {
  psbt: Uint8Array<ArrayBuffer>;
  name: string;
  /** What the download is called. */
  label: string;
  /** The form of QR codes to begin with. */
  codes: CodeForm;
}

/** A file for the signer: as a download, as text, and as QR codes. */
export function FileToSign({ psbt, name, label, codes }: FileToSignProps) {
  const [shown, setShown] = useState(false);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 rounded-xl bg-raised p-4">
        <p className="min-w-0 flex-1 basis-full font-mono text-xs [overflow-wrap:anywhere]">{name}</p>
        <Button icon={Download} onClick={() => download(new File([psbt], name, { type: 'application/octet-stream' }))}>
          {label}
        </Button>
        <Button icon={QrCode} look="secondary" aria-expanded={shown} onClick={() => setShown(!shown)}>
          Show QR Codes
        </Button>
        <CopyButton text={toBase64(psbt)} label="Copy the file to sign as text" />
      </div>
      {shown && <MadeCodes key={codes} psbt={psbt} name={name} first={codes} />}
    </>
  );
}
