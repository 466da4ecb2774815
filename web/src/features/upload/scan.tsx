import { lazy, Suspense, useState } from 'react';
import { ScanQrCode } from 'lucide-react';
import { Button } from '../../ui/button';

/** Reading codes takes more script than everything else here: it is loaded when it is asked for. */
const ScanDialog = lazy(() => import('./scan-dialog'));

interface ScanProps {
  onFiles: (files: File[]) => void;
  disabled: boolean;
}

/** Brings a file by its QR codes: what is read goes the way of a dropped file. */
export function ScanButton({ onFiles, disabled }: ScanProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="secondary" disabled={disabled} onClick={() => setOpen(true)}>
        <ScanQrCode className="size-4" aria-hidden="true" />
        Scan QR Codes
      </Button>
      {open && (
        <Suspense>
          <ScanDialog
            onClose={() => setOpen(false)}
            onFile={(file) => {
              setOpen(false);
              onFiles([file]);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
