import { useRef } from 'react';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { WholeText } from './whole';

const NAME = 'a_name_that_has_no_room_here';

function Rows() {
  const box = useRef<HTMLDivElement>(null);
  return (
    <div ref={box}>
      <a href="#cut" data-whole="">
        {NAME}
      </a>
      <span data-whole="">short</span>
      <button type="button" data-whole="$150,000">
        $150K
      </button>
      <WholeText around={box} />
    </div>
  );
}

/** The rows, of which the first has a name that is cut off: jsdom lays nothing out. */
function show() {
  render(<Rows />);
  const link = screen.getByRole('link');
  Object.defineProperties(link, { clientWidth: { value: 80 }, scrollWidth: { value: 200 } });
  return link;
}

const whole = () => screen.queryByRole('tooltip', { hidden: true })?.textContent ?? null;
const over = (of: Element, pointerType: string) => fireEvent(of, new PointerEvent('pointerover', { pointerType, bubbles: true }));
/** Whether it leads where it would. */
const press = (of: Element, pointerType: string) => fireEvent(of, new PointerEvent('click', { pointerType, bubbles: true, cancelable: true }));

test('a name that is cut off is whole under the pointer, and one that has room says nothing more', () => {
  const link = show();
  over(link, 'mouse');
  expect(whole()).toBe(NAME);
  over(screen.getByText('short'), 'mouse');
  expect(whole()).toBeNull();
  over(screen.getByRole('button'), 'mouse');
  expect(whole()).toBe('$150,000');
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(whole()).toBeNull();
});

test('a finger shows the whole name first, and the next touch follows the link', () => {
  const link = show();
  over(link, 'touch');
  expect(whole()).toBeNull();
  expect(press(link, 'touch')).toBe(false);
  expect(whole()).toBe(NAME);
  expect(press(link, 'touch')).toBe(true);
  expect(whole()).toBe(NAME);
  press(screen.getByText('short'), 'touch');
  expect(whole()).toBeNull();
});

test('a mouse follows the link at once', () => {
  expect(press(show(), 'mouse')).toBe(true);
});
