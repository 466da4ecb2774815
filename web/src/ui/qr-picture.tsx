import { useMemo } from 'react';
import { encodeQR } from 'qr';

/** Modules around a code that stay white (ISO/IEC 18004, section 6.3.8). */
const QUIET = 4;

/** One QR code: black on white in the light and in the dark, as cameras expect it. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text]);
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" className="block w-full rounded-lg">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function drawn(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: QUIET });
  const runs = rows.flatMap((row, y) => {
    const modules = row.map((dark) => (dark ? '#' : ' ')).join('');
    return [...modules.matchAll(/#+/g)].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`);
  });
  return { size: rows.length, path: runs.join('') };
}
