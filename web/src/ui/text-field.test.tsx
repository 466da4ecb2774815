import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { NEVER_PASTE } from '../lib/secret';
import { recognizeText } from '../psbt';
import { TextField } from './text-field';

vi.mock('../psbt', () => ({ recognizeText: vi.fn() }));
const recognize = vi.mocked(recognizeText);

const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const PROSE = 'Acme Bank about the loan for the old house near the big river, loan 4711';
const KEY = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';

const texts: string[] = [];
function Form() {
  const [text, setText] = useState('');
  const onText = (next: string) => {
    texts.push(next);
    setText(next);
  };
  return <TextField label="Words" value={text} onText={onText} rows={2} />;
}

beforeEach(() => {
  texts.length = 0;
  recognize.mockReset();
});

async function paste(text: string) {
  render(<Form />);
  await userEvent.click(screen.getByLabelText('Words'));
  await userEvent.paste(text);
}

test('a seed phrase is removed from the field, and nothing else ever sees it', async () => {
  recognize.mockResolvedValue({ kind: 'seed-phrase', message: 'This is a seed phrase.', secret: true });
  await paste(PHRASE);
  expect(await screen.findByRole('alert')).toHaveTextContent(NEVER_PASTE);
  expect(screen.getByLabelText('Words')).toHaveValue('');
  expect(screen.getByLabelText('Words')).toHaveFocus();
  expect(texts).toEqual(['']);
});

test('redo does not bring it back: the field is another element', async () => {
  recognize.mockResolvedValue({ kind: 'seed-phrase', message: 'This is a seed phrase.', secret: true });
  render(<Form />);
  const before = screen.getByLabelText('Words');
  await userEvent.click(before);
  await userEvent.paste(PHRASE);
  await screen.findByRole('alert');
  expect(before).not.toBeInTheDocument();
});

test('a private key needs no word list', async () => {
  await paste(KEY);
  expect(await screen.findByRole('alert')).toHaveTextContent(NEVER_PASTE);
  expect(texts).toEqual(['']);
  expect(recognize).not.toHaveBeenCalled();
});

test('without the word list a text that can be a seed phrase is removed, with the reason', async () => {
  recognize.mockRejectedValue(new Error('no module'));
  await paste(PHRASE);
  expect(await screen.findByRole('alert')).toHaveTextContent('couldn’t be checked for a seed phrase, so it was removed');
  expect(texts).toEqual(['']);
});

test('a long sentence is passed on once it was checked', async () => {
  recognize.mockResolvedValue(null);
  await paste(PROSE);
  expect(await screen.findByDisplayValue(PROSE)).toBeVisible();
  await vi.waitFor(() => expect(texts).toEqual([PROSE]));
  expect(screen.queryByRole('alert')).toBeNull();
});
