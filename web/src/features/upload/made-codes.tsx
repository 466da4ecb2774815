import { useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../lib/format';
import { framesOf, type CodeForm } from '../../lib/qr/codes';
import { Button } from '../../ui/button';
import { Select } from '../../ui/select';
import { QrPicture } from '../../ui/qr-picture';

const FORMS: Record<CodeForm, string> = {
  ur: 'UR (most devices)',
  bbqr: 'BBQr (Coldcard Q)',
};
/** Codes per second; 0 is by hand. */
const RATES = [0, 1, 2, 4, 8];
const USUAL_RATE = 4;

const stillWanted = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

interface MadeCodesProps {
  psbt: Uint8Array;
  name: string;
  /** The form that the chosen wallet reads. */
  first: CodeForm;
}

/** A file as animated QR codes, for devices without a cable. */
export default function MadeCodes({ psbt, name, first }: MadeCodesProps) {
  const [form, setForm] = useState(first);
  const [rate, setRate] = useState(() => (stillWanted() ? 0 : USUAL_RATE));
  const [n, setN] = useState(0);
  const { count, frame } = useMemo(() => framesOf(psbt, form), [psbt, form]);
  const several = count > 1;
  const top = useRef<HTMLDivElement>(null);
  // The whole code has to be in view for a camera.
  useEffect(() => void top.current?.scrollIntoView({ block: 'nearest' }), []);
  useEffect(() => {
    if (rate === 0 || !several) return undefined;
    const timer = window.setInterval(() => setN((shown) => shown + 1), 1000 / rate);
    return () => window.clearInterval(timer);
  }, [rate, several]);

  return (
    <section aria-label="The file as QR codes" className="flex flex-wrap items-start gap-5 rounded-xl border border-line p-4">
      <div ref={top} className="w-full max-w-96 overflow-hidden rounded-lg border border-line">
        <QrPicture text={frame(n)} label={several ? `QR codes of ${name}, one after the other` : `QR code of ${name}`} />
      </div>
      <div className="min-w-0 flex-1 basis-48 space-y-3">
        <p>
          {several
            ? 'Hold the camera of your device to the codes until it has them all. They may come in any order.'
            : 'Hold the camera of your device to the code.'}
        </p>
        <Select label="Form" value={form} options={Object.entries(FORMS)} onChange={(value) => setForm(value as CodeForm)} />
        {several && (
          <>
            <Select label="Codes per second" value={rate} options={RATES.map((value) => [value, value === 0 ? 'By hand' : String(value)])} onChange={(value) => setRate(Number(value))} />
            <p className="num" {...(rate === 0 ? { role: 'status' } : {})}>
              {form === 'ur' && n >= count
                ? `Code ${formatCount(n + 1)}; any ${formatCount(count)} or a few more are enough`
                : `Code ${formatCount((n % count) + 1)} of ${formatCount(count)}`}
            </p>
            {rate === 0 && (
              <Button look="secondary" onClick={() => setN(n + 1)}>
                Next Code
              </Button>
            )}
          </>
        )}
      </div>
    </section>
  );
}
