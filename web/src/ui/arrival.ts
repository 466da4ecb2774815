import { useEffect, useLayoutEffect } from 'react';

/** Whether the next screen may take the focus: not after the user has moved it. */
let awaited = false;

const ACTIONS = ['pointerdown', 'keydown', 'focusin'] as const;
const goOn = () => (awaited = false);

/** Watches the user's actions after each navigation. For the frame, which outlives the screens. */
export function useNavigations(path: string): void {
  useEffect(() => {
    for (const action of ACTIONS) document.addEventListener(action, goOn, true);
    return () => {
      awaited = false;
      for (const action of ACTIONS) document.removeEventListener(action, goOn, true);
    };
  }, []);
  // Before the effects of the new screen.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- leaving a path is the event
  useLayoutEffect(() => () => void (awaited = true), [path]);
}

/** Whether the new screen takes the focus. */
export function takesFocus(): boolean {
  return awaited;
}
