import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { InputSignatures, PsbtReport, SignatureReport } from '../../psbt';
import { SignatureNotice, Warnings } from './signatures';

const one = (valid: boolean | null, commitsToAll = true) => ({ key: null, valid, sighash: 1, commitsToAll });
const input = (changes: Partial<InputSignatures>): InputSignatures => ({
  status: 'valid',
  reason: null,
  message: null,
  needed: 1,
  signatures: [one(true)],
  ...changes,
});
const of = (check: SignatureReport | null | undefined, stopped = false) => ({ check, stopped, again: vi.fn<() => void>() });
const show = (inputs: InputSignatures[], complete = false) => {
  const report = { inputs: inputs.map(() => ({ address: 'bc1qexampleexampleexample' })) } as PsbtReport;
  render(<SignatureNotice report={report} signatures={of({ complete, inputs })} />);
};

test('valid signatures take one line', () => {
  show([input({}), input({})], true);
  expect(screen.getByRole('status')).toHaveTextContent('The signatures of 2 inputs are valid');
});

test.each([
  [input({ status: 'invalid', message: 'A signature is wrong.', signatures: [one(false)] }), 'Input 1: A signature is wrong. Sign it again in the wallet that holds bc1qexam…eexample.'],
  [input({ status: 'incomplete', needed: 2 }), 'Input 1: It has 1 of 2 signatures that it needs. Pass the file on to the other signers'],
  [input({ signatures: [one(true, false)] }), 'SIGHASH_ALL'],
])('%j is named with what to do', (check, sentence) => {
  show([check]);
  expect(screen.getByRole('status')).toHaveTextContent('1 of 1 signature is not valid');
  expect(screen.getByRole('status')).toHaveTextContent(sentence);
});

test('what this device cannot tell is left to the server', () => {
  show([input({ status: 'inconclusive', reason: 'unknown-utxo', signatures: [] })]);
  expect(screen.getByRole('status')).toHaveTextContent('The signatures of 1 input cannot be checked on this device. The server checks them.');
});

test('it says so while they are checked, and when nothing checks them', () => {
  const report = { inputs: [] as PsbtReport['inputs'] } as PsbtReport;
  const { rerender } = render(<SignatureNotice report={report} signatures={of(undefined)} />);
  expect(screen.getByRole('status')).toHaveTextContent('Checking the signatures of 0 inputs on this device...');
  rerender(<SignatureNotice report={report} signatures={of(null)} />);
  expect(screen.queryByRole('status')).toBeNull();
});

test('a high fee and a lock time are pointed out, and nothing is repeated', () => {
  render(
    <Warnings
      warnings={[
        { code: 'high-fee', message: 'The fee is high.', inputs: [] },
        { code: 'unsigned-input', message: 'Not signed.', inputs: [0] },
      ]}
    />,
  );
  expect(screen.getByText('The fee is high.')).toBeInTheDocument();
  expect(screen.queryByText('Not signed.')).toBeNull();
});

test('a stopped check says so, and can be started again', async () => {
  const signatures = of(null, true);
  render(<SignatureNotice report={{ inputs: [] } as unknown as PsbtReport} signatures={signatures} />);
  expect(screen.getByRole('status')).toHaveTextContent(/You stopped the check of the signatures.*The server checks them in any case/);
  await userEvent.click(screen.getByRole('button', { name: 'Check the Signatures' }));
  expect(signatures.again).toHaveBeenCalledOnce();
});
