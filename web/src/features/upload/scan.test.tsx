import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { watchCodes } from '../../lib/qr/camera';
import { framesOf } from '../../lib/qr/codes';
import { ScanButton } from './bring-file';

vi.mock('../../lib/qr/camera', async (original) => ({
  ...(await original<typeof import('../../lib/qr/camera')>()),
  watchCodes: vi.fn<typeof watchCodes>(),
}));

const PSBT = Uint8Array.from({ length: 1300 }, (_, at) => (at * 167) & 0xff);
const stop = vi.fn<() => void>();
const ask = vi.fn<() => Promise<{ getTracks: () => { stop: () => void }[] }>>();
/** Holds a code to the camera. */
let hold: (text: string) => void;

beforeEach(() => {
  stop.mockReset();
  ask.mockReset().mockResolvedValue({ getTracks: () => [{ stop }] });
  Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia: ask }, configurable: true });
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  hold = () => {
    throw new Error('nothing looks');
  };
  vi.mocked(watchCodes).mockReset().mockImplementation((_video, onCode) => {
    hold = (text) => onCode(text);
    return () => {};
  });
});

async function open(): Promise<File[]> {
  const files: File[] = [];
  render(<ScanButton onFiles={(chosen) => files.push(...chosen)} />);
  await userEvent.click(screen.getByRole('button', { name: 'Scan QR codes' }));
  await screen.findByRole('dialog', { name: 'Scan QR codes' });
  return files;
}
const looking = () => waitFor(() => expect(watchCodes).toHaveBeenCalled());

test.each(['ur', 'bbqr'] as const)('codes in %s become a file like a dropped one, and the camera is let go', async (form) => {
  const files = await open();
  await looking();
  const { count, frame } = framesOf(PSBT, form);
  hold(frame(1));
  expect(await screen.findByText(`1 of ${count} parts`)).toBeInTheDocument();
  hold(frame(1));
  for (let n = 0; n < count; n++) hold(frame(n));
  await waitFor(() => expect(files).toHaveLength(1));
  expect(files[0]?.name).toMatch(/^scanned-[\d-]+\.psbt$/);
  expect(new Uint8Array(await (files[0] as File).arrayBuffer())).toEqual(PSBT);
  expect(stop).toHaveBeenCalled();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a code of another file is named and skipped', async () => {
  const files = await open();
  await looking();
  const { count, frame } = framesOf(PSBT, 'ur');
  hold(frame(0));
  hold(framesOf(PSBT.slice(1), 'ur').frame(1));
  expect(await screen.findByRole('alert')).toHaveTextContent('A code of another file was skipped.');
  for (let n = 1; n < count; n++) hold(frame(n));
  await waitFor(() => expect(files).toHaveLength(1));
});

test('codes that do not fit together are named, and can be read again', async () => {
  const files = await open();
  await looking();
  hold('B$ZP0100AAAAAAAA');
  expect(await screen.findByRole('alert')).toHaveTextContent('The codes don’t fit together.');
  await userEvent.click(screen.getByRole('button', { name: 'Start Again' }));
  await waitFor(() => expect(watchCodes).toHaveBeenCalledTimes(2));
  hold('B$HP0100FF');
  await waitFor(() => expect(files).toHaveLength(1));
});

test.each([
  ['NotAllowedError', 'The browser blocks the camera'],
  ['NotFoundError', 'No camera found'],
  ['NotReadableError', 'Close other programs that may be using it'],
])('without a camera the page says why, and what to do: %s', async (name, words) => {
  ask.mockRejectedValue(Object.assign(new Error('no'), { name }));
  await open();
  expect(await screen.findByRole('alert')).toHaveTextContent(words);
});

test('cancelling lets the camera go', async () => {
  await open();
  await looking();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(stop).toHaveBeenCalled();
  expect(screen.queryByRole('dialog')).toBeNull();
});
