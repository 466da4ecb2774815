import { useEffect, useRef, useState } from 'react';
import { namedFile } from '../../lib/psbt-text';
import { closeCamera, openCamera, watchCodes } from '../../lib/qr/camera';
import { CodeError, CodeReader, type Progress } from '../../lib/qr/codes';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Notice } from '../../ui/notice';
import { TextButton } from '../../ui/text-link';

/** A view through the camera, until the codes of a file are read. The pictures stay in this page. */
export default function ScanDialog({ onFile, onClose }: { onFile: (file: File) => void; onClose: () => void }) {
  const [attempt, setAttempt] = useState(0);
  return (
    <Dialog title="Scan QR codes" className="w-[min(36rem,calc(100vw-2rem))]" onClose={onClose}>
      <p className="mt-2 text-sm text-muted">Hold the screen of your device to the camera: BBQr or UR codes, in any order. Nothing leaves this page.</p>
      <Scan key={attempt} onFile={onFile} onAgain={() => setAttempt(attempt + 1)} />
      <div className="mt-6 flex justify-end">
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}

function Scan({ onFile, onAgain }: { onFile: (file: File) => void; onAgain: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [trouble, setTrouble] = useState<CodeError | null>(null);
  const found = useRef(onFile);
  useEffect(() => {
    found.current = onFile;
  }, [onFile]);

  useEffect(() => {
    const reader = new CodeReader();
    const screen = video.current;
    let stream: MediaStream | null = null;
    let ended = false;
    let unwatch = () => {};
    const end = () => {
      ended = true;
      unwatch();
      if (stream) closeCamera(stream);
    };
    const fail = (error: unknown) => {
      end();
      setTrouble(error instanceof CodeError ? error : new CodeError('The codes couldn’t be read. Start over.', false));
    };
    const take = (text: string) => {
      if (ended) return;
      try {
        const now = reader.receive(text);
        setTrouble(null);
        setProgress(now);
        if (now.read < now.of) return;
        end();
        reader.finish().then(({ bytes, ending }) => found.current(namedFile(bytes, 'scanned', ending)), fail);
      } catch (error) {
        if (error instanceof CodeError && error.passing) setTrouble(error);
        else fail(error);
      }
    };
    openCamera().then(async (opened) => {
      stream = opened;
      if (ended || !screen) return closeCamera(opened);
      screen.srcObject = opened;
      await screen.play();
      if (!ended) unwatch = watchCodes(screen, take);
      return undefined;
    }).catch((error: unknown) => !ended && fail(error));
    return end;
  }, []);

  const over = trouble !== null && !trouble.passing;
  return (
    <div className="mt-4 space-y-3">
      {!over && (
        <video ref={video} muted playsInline aria-label="What the camera sees" className="aspect-video w-full rounded-lg bg-black object-contain" />
      )}
      {progress && !over && (
        <div>
          <progress className="h-2 w-full accent-accent" aria-label="Parts that were read" max={progress.of} value={progress.read} />
          <p role="status" className="num text-sm font-semibold">
            {progress.read} of {progress.of} parts
          </p>
        </div>
      )}
      {trouble && <Notice tone={over ? 'danger' : 'warning'} role="alert" text={trouble.message} />}
      {(trouble || progress) && (
        <p className="py-2 text-sm">
          <TextButton onClick={onAgain}>Start Again</TextButton>
        </p>
      )}
    </div>
  );
}
