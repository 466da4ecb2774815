import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Menu } from './menu';
import { Tooltip } from './tooltip';

function show() {
  const chosen: string[] = [];
  const item = (text: string) => ({ icon: null, text, onSelect: () => void chosen.push(text) });
  render(<Menu name="Fruit" label="Choose" items={[item('Apple'), item('Pear'), item('Plum')]} />);
  return { chosen, button: screen.getByRole('button', { name: 'Choose' }) };
}

test('the arrows, Home and End go through a menu, and round its ends', async () => {
  const { chosen, button } = show();
  button.focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(screen.getByRole('menu', { name: 'Fruit' })).toBeInTheDocument();
  for (const [key, text] of [['', 'Apple'], ['ArrowUp', 'Plum'], ['ArrowDown', 'Apple'], ['End', 'Plum'], ['Home', 'Apple'], ['ArrowDown', 'Pear']] as const) {
    if (key) await userEvent.keyboard(`{${key}}`);
    expect(screen.getByRole('menuitem', { name: text })).toHaveFocus();
  }
  await userEvent.keyboard('{Enter}');
  expect(chosen).toEqual(['Pear']);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(button).toHaveFocus();
});

test('Escape closes a menu and gives the focus back; a press elsewhere and Tab close it', async () => {
  const { button } = show();
  for (const leave of [() => userEvent.keyboard('{Escape}'), () => userEvent.click(document.body), () => userEvent.tab()]) {
    await userEvent.click(button);
    expect(button).toHaveAttribute('aria-expanded', 'true');
    await leave();
    expect(button).toHaveAttribute('aria-expanded', 'false');
  }
  await userEvent.click(button);
  await userEvent.keyboard('{Escape}');
  expect(button).toHaveFocus();
});

const tip = () => screen.queryByRole('tooltip')?.textContent ?? null;

test('a tooltip shows on hover and on focus, and Escape hides it', async () => {
  render(
    <Tooltip label="File" text="savings.psbt" className="">
      ?
    </Tooltip>,
  );
  await userEvent.hover(screen.getByRole('button', { name: 'File' }));
  expect(tip()).toBe('savings.psbt');
  await userEvent.unhover(screen.getByRole('button', { name: 'File' }));
  expect(tip()).toBeNull();
  await userEvent.tab();
  expect(tip()).toBe('savings.psbt');
  await userEvent.keyboard('{Escape}');
  expect(tip()).toBeNull();
});
