import { startTransition, useEffect, useRef, useState } from 'react';

/** Whether the code of a popup is wanted. Until it is there, the button that wants it stays. */
export function useWanted(): [boolean, () => void] {
  const [wanted, setWanted] = useState(false);
  return [wanted, () => startTransition(() => setWanted(true))];
}

/** For the button that replaces such a one, and takes over its focus and its press. */
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
