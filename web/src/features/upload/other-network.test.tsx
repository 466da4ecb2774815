import { useState } from 'react';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { open } from '../../testing/render';
import { OtherNetwork, useElsewhere } from './other-network';
import type { ReadyFile } from './use-proof-file';

const file = (name: string, networkHint: 'mainnet' | 'testnet' | null) =>
  ({ step: 'ready', file: new File(['x'], name), contents: { report: { inputs: [], networkHint } }, parts: 1 }) as unknown as ReadyFile;

/** The step that makes something of a file, or what stops it; another file can be chosen. */
function Gate({ files, network }: { files: ReadyFile[]; network: string }) {
  const [at, setAt] = useState(0);
  const { elsewhere, goOn } = useElsewhere(files[at]!, network);
  return (
    <>
      {elsewhere ? <OtherNetwork side={elsewhere} network={network} what="This board" onGoOn={goOn} /> : <p>Sign your proof</p>}
      <button type="button" onClick={() => setAt(at + 1)}>
        Another file
      </button>
    </>
  );
}

test.each([
  ['testnet', 'mainnet', /test network.*about real bitcoin/],
  ['mainnet', 'signet', /real bitcoin.*on the test network signet. Don’t sign with real coins/],
] as const)('a file for %s is named on %s before anything is made of it, and its holder can overrule that', async (hint, network, sentence) => {
  open(<Gate files={[file('a.psbt', hint), file('b.psbt', hint)]} network={network} />);
  expect(screen.getByRole('alert')).toHaveTextContent(sentence);
  expect(screen.queryByText('Sign your proof')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Not so? Go on' }));
  expect(screen.getByText('Sign your proof')).toBeInTheDocument();
  // The message stays until another file is chosen.
  await userEvent.click(screen.getByRole('button', { name: 'Another file' }));
  expect(screen.getByRole('alert')).toHaveTextContent(sentence);
});

test('a file that does not say its network, or says the right one, is not stopped', () => {
  open(<Gate files={[file('a.psbt', null)]} network="mainnet" />);
  expect(screen.getByText('Sign your proof')).toBeInTheDocument();
});
