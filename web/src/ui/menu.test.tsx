import { useState } from 'react';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Dialog } from './dialog';
import { Checkbox, Dropdown } from './dropdown';
import { Menu } from './menu';
import { Tooltip } from './tooltip';

const button = (name = 'Choose') => screen.getByRole('button', { name });

function show() {
  const chosen: string[] = [];
  const item = (text: string) => ({ icon: null, text, onSelect: () => void chosen.push(text) });
  render(<Menu name="Fruit" label="Choose" items={[item('Apple'), item('Pear'), item('Plum')]} />);
  return chosen;
}

test('the arrows, Home and End go through a menu, and round its ends', async () => {
  const chosen = show();
  button().focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(await screen.findByRole('menu', { name: 'Choose' })).toBeInTheDocument();
  for (const [key, text] of [['', 'Apple'], ['ArrowUp', 'Plum'], ['ArrowDown', 'Apple'], ['End', 'Plum'], ['Home', 'Apple'], ['ArrowDown', 'Pear']] as const) {
    if (key) await userEvent.keyboard(`{${key}}`);
    await waitFor(() => expect(screen.getByRole('menuitem', { name: text })).toHaveFocus());
  }
  await userEvent.keyboard('{Enter}');
  expect(chosen).toEqual(['Pear']);
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await waitFor(() => expect(button()).toHaveFocus());
});

test('Escape closes a menu and gives the focus back; a press elsewhere and Tab close it', async () => {
  show();
  for (const leave of [() => userEvent.keyboard('{Escape}'), () => userEvent.click(document.body), () => userEvent.tab()]) {
    await userEvent.click(button());
    await waitFor(() => expect(button()).toHaveAttribute('aria-expanded', 'true'));
    await leave();
    await waitFor(() => expect(button()).toHaveAttribute('aria-expanded', 'false'));
  }
  await userEvent.click(button());
  await screen.findByRole('menu');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(button()).toHaveFocus());
});

function Opener() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open && (
        <Dialog title="Fruit" onClose={() => setOpen(false)}>
          Apples
        </Dialog>
      )}
    </>
  );
}

test('a dialog has its name, holds the focus, and gives it back', async () => {
  render(<Opener />);
  for (const close of [() => userEvent.keyboard('{Escape}'), () => userEvent.click(screen.getByRole('button', { name: 'Close' }))]) {
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    expect(await screen.findByRole('dialog', { name: 'Fruit' })).toHaveTextContent('Apples');
    await waitFor(() => expect(screen.getByRole('dialog')).toContainElement(document.activeElement as HTMLElement));
    await close();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus());
  }
});

test('a dropdown shows its controls under its name with the first press', async () => {
  render(
    <Dropdown name="Filters" label="Filter">
      <Checkbox checked={false} onChange={() => {}}>
        Verified
      </Checkbox>
    </Dropdown>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
  expect(await screen.findByRole('dialog', { name: 'Filters' })).toBeInTheDocument();
  expect(screen.getByRole('checkbox', { name: 'Verified' })).toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Filter' })).toHaveFocus());
});

const tip = () => screen.queryByRole('tooltip')?.textContent ?? null;

test('a tooltip shows on hover and on focus, and Escape hides it', async () => {
  render(
    <Tooltip label="File" text="savings.psbt" className="">
      ?
    </Tooltip>,
  );
  await userEvent.hover(button('File'));
  await waitFor(() => expect(tip()).toBe('savings.psbt'));
  await userEvent.hover(button('File'));
  await userEvent.unhover(button('File'));
  await waitFor(() => expect(tip()).toBeNull());
  await userEvent.tab();
  await waitFor(() => expect(tip()).toBe('savings.psbt'));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(tip()).toBeNull());
});

test('a tooltip that the Tab key asks for keeps the focus while it loads', async () => {
  render(
    <Tooltip label="File" text="savings.psbt" className="">
      ?
    </Tooltip>,
  );
  await userEvent.tab();
  await waitFor(() => expect(tip()).toBe('savings.psbt'));
  expect(screen.getByRole('button', { name: 'File' })).toHaveFocus();
});
