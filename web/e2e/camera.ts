import { open } from 'node:fs/promises';
import { encodeQR } from 'qr';
import { framesOf, type CodeForm } from '../src/lib/qr/codes';

const WIDTH = 1280;
const HEIGHT = 720;
const PER_SECOND = 4;
/** The gray of the room around the screen that the camera sees. */
const ROOM = 150;

/** Flags that make Chromium's camera play a file in a loop, without asking for permission. */
export const cameraFlags = (file: string) => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-video-capture=${file}`,
];

/** A film (YUV4MPEG2) of a device that shows a file as QR codes, four a second. */
export async function film(path: string, psbt: Uint8Array, form: CodeForm): Promise<void> {
  const { count, frame } = framesOf(psbt, form);
  const file = await open(path, 'w');
  try {
    await file.write(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${PER_SECOND}:1 Ip A1:1 C420jpeg\n`);
    for (let n = 0; n < count; n++) {
      await file.write('FRAME\n');
      await file.write(picture(frame(n)));
    }
  } finally {
    await file.close();
  }
}

/** The brightness of every pixel, without colors. */
function picture(text: string): Buffer {
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: 4 });
  const scale = Math.floor(HEIGHT / rows.length);
  const left = Math.floor((WIDTH - rows.length * scale) / 2);
  const points = Buffer.alloc((WIDTH * HEIGHT * 3) / 2, 128);
  points.fill(ROOM, 0, WIDTH * HEIGHT);
  rows.forEach((row, y) =>
    row.forEach((dark, x) => {
      for (let line = 0; line < scale; line++) {
        const from = (y * scale + line) * WIDTH + left + x * scale;
        points.fill(dark ? 16 : 235, from, from + scale);
      }
    }),
  );
  return points;
}
