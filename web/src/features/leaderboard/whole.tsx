import { useEffect, useState, type RefObject } from 'react';

/** What is shown, and where: above or below what it says more of. */
interface Shown {
  of: HTMLElement;
  text: string;
  left: number;
  top: number;
}

/** The widest that it gets, in pixels, and its distance from the edges of the window. */
const WIDTH = 320;
const MARGIN = 8;

const isCut = (name: Element) => [name, ...name.querySelectorAll('*')].some((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth);

/** What there is more to say of, under the pointer or around what has the focus. Names say themselves, where they are cut off. */
function wholeOf(target: EventTarget | null): Shown | null {
  const of = target instanceof Element ? target.closest<HTMLElement>('[data-whole]') : null;
  const text = of?.dataset.whole || (of && isCut(of) ? of.textContent : null);
  if (!of || !text) return null;
  const { left, bottom } = of.getBoundingClientRect();
  return { of, text, left: Math.max(MARGIN, Math.min(left, window.innerWidth - WIDTH - MARGIN)), top: bottom + 2 };
}

/**
 * Shows the whole of what is cut off or short in some rows: on hover, with the focus, and at a press. One for all rows, which have no
 * code of their own for it. Where a press is all there is, the first one on a link shows its text and the next one follows it.
 */
export function WholeText({ around }: { around: RefObject<HTMLElement | null> }) {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    const box = around.current;
    if (!box) return undefined;
    let current: HTMLElement | null = null;
    const show = (next: Shown | null) => {
      current = next?.of ?? null;
      setShown(next);
    };
    const onOver = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') show(wholeOf(event.target));
    };
    const onFocus = (event: FocusEvent) => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) show(wholeOf(event.target));
    };
    const onClick = (event: MouseEvent) => {
      const next = wholeOf(event.target);
      const touched = event instanceof PointerEvent && event.pointerType === 'touch';
      if (touched && next && next.of !== current && next.of instanceof HTMLAnchorElement) event.preventDefault();
      show(next && next.of === current && !touched ? null : next);
    };
    const hide = () => show(null);
    // The page may still be moving to what has the focus.
    const onScroll = () => current && setShown(wholeOf(current));
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    box.addEventListener('pointerover', onOver);
    box.addEventListener('pointerleave', hide);
    box.addEventListener('focusin', onFocus);
    box.addEventListener('focusout', hide);
    box.addEventListener('click', onClick);
    document.addEventListener('scroll', onScroll, { passive: true });
    document.addEventListener('keydown', onKey);
    return () => {
      box.removeEventListener('pointerover', onOver);
      box.removeEventListener('pointerleave', hide);
      box.removeEventListener('focusin', onFocus);
      box.removeEventListener('focusout', hide);
      box.removeEventListener('click', onClick);
      document.removeEventListener('scroll', onScroll);
      document.removeEventListener('keydown', onKey);
    };
  }, [around]);
  if (!shown) return null;
  return (
    <span
      role="tooltip"
      // Screen readers read the whole of it anyway.
      aria-hidden="true"
      style={{ left: shown.left, top: shown.top }}
      className="num fixed z-30 w-max max-w-80 rounded-lg bg-ink px-3 py-1.5 text-sm [overflow-wrap:anywhere] text-canvas shadow-card print:hidden"
    >
      <bdi>{shown.text}</bdi>
    </span>
  );
}
