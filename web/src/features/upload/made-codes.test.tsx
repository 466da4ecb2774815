import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { decodeQR } from 'qr/decode.js';
import { beforeEach, expect, test, vi } from 'vitest';
import { CodeReader, type CodeForm } from '../../lib/qr/codes';
import MadeCodes from './made-codes';

const PSBT = Uint8Array.from({ length: 1300 }, (_, at) => (at * 167) & 0xff);

let still = false;
beforeEach(() => {
  still = false;
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('reduced-motion') && still }));
});

const show = (first: CodeForm, psbt = PSBT) => render(<MadeCodes psbt={psbt} name="proof-to-sign-mine.psbt" first={first} />);
const picture = () => screen.getByRole('img', { name: /^QR codes? of proof-to-sign-mine\.psbt/ });

const words = () => screen.getByText(/^Code \d of 3$/).textContent;

/** What a camera reads from the picture on the screen. */
function scanned(): string {
  const SCALE = 4;
  const size = Number(picture().getAttribute('viewBox')?.split(' ')[2]);
  const side = size * SCALE;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y, length] of picture().querySelector('path')?.getAttribute('d')?.matchAll(/M(\d+) (\d+)h(\d+)/g) ?? []) {
    for (let row = 0; row < SCALE; row++) {
      const from = (Number(y) * SCALE + row) * side + Number(x) * SCALE;
      for (let at = from; at < from + Number(length) * SCALE; at++) data.fill(0, at * 4, at * 4 + 3);
    }
  }
  return decodeQR({ width: side, height: side, data });
}

test.each(['ur', 'bbqr'] as const)('where no motion is wanted, the codes are shown by hand, and are the file: %s', async (form) => {
  still = true;
  show(form);
  const reader = new CodeReader();
  let progress = reader.receive(scanned());
  expect(screen.getByRole('status')).toHaveTextContent(`Code 1 of ${progress.of}`);
  for (let shown = 1; progress.read < progress.of; shown++) {
    expect(shown).toBeLessThan(progress.of);
    await userEvent.click(screen.getByRole('button', { name: 'Next Code' }));
    progress = reader.receive(scanned());
  }
  expect((await reader.finish()).bytes).toEqual(PSBT);
});

test('else they follow each other by themselves, as fast as one likes, and rest at the press of a button', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: false });
  try {
    show('bbqr');
    expect(words()).toBe('Code 1 of 3');
    act(() => void vi.advanceTimersByTime(250));
    expect(words()).toBe('Code 2 of 3');
    act(() => void vi.advanceTimersByTime(500));
    expect(words()).toBe('Code 1 of 3');
    expect(screen.queryByRole('button', { name: 'Next Code' })).toBeNull();
  } finally {
    vi.useRealTimers();
  }
  await userEvent.selectOptions(screen.getByLabelText('Codes per second'), 'By hand');
  expect(screen.getByRole('button', { name: 'Next Code' })).toBeEnabled();
});

test('the form can be changed', async () => {
  still = true;
  show('bbqr');
  expect(scanned()).toMatch(/^B\$2P0300/);
  await userEvent.selectOptions(screen.getByLabelText('Form'), 'ur');
  expect(scanned()).toMatch(/^UR:CRYPTO-PSBT\/1-7\//);
});

test('the code is black on a white ground with four modules around it', () => {
  show('bbqr');
  const ground = picture().querySelector('rect');
  expect([ground?.getAttribute('fill'), ground?.getAttribute('width')]).toEqual(['#fff', picture().getAttribute('viewBox')?.split(' ')[2]]);
  expect(picture().querySelector('path')?.getAttribute('d')).toMatch(/^M4 4h7v1/);
});

test('a file in one code needs no speed', () => {
  show('ur', PSBT.slice(0, 100));
  expect(scanned()).toMatch(/^UR:CRYPTO-PSBT\/[A-Z]+$/);
  expect(screen.queryByLabelText('Codes per second')).toBeNull();
});
