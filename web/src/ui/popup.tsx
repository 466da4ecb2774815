import { createElement, lazy, startTransition, useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react';

/** Whether the code of a popup is wanted. Until it is there, the button that wants it stays. */
export function useWanted(): [boolean, () => void] {
  const [wanted, setWanted] = useState(false);
  return [wanted, () => startTransition(() => setWanted(true))];
}

/** A button whose popup's code loads with the first press; on a menu's, also with the arrow that opens it. */
export function popup<P extends { label: ReactNode }>(kind: 'menu' | 'dialog', look: string, load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  const Loaded = lazy(load) as unknown as ComponentType<P>;
  return function Popup(props: P) {
    const [wanted, want] = useWanted();
    if (wanted) return createElement(Loaded, props);
    return (
      <button type="button" aria-haspopup={kind} aria-expanded={false} className={look} onClick={want} onKeyDown={({ key }) => kind === 'menu' && key === 'ArrowDown' && want()}>
        {props.label}
      </button>
    );
  };
}

/** For the button of a popup that has loaded: it takes the focus, and is pressed, as the button was that stood in for it. */
export function useFirstPress() {
  const button = useRef<HTMLButtonElement>(null);
  const pressed = useRef(false);
  useEffect(() => {
    // Once, also in React's strict mode.
    if (pressed.current) return;
    pressed.current = true;
    button.current?.focus();
    button.current?.click();
  }, []);
  return button;
}
