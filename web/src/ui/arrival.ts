import { useEffect, useLayoutEffect } from 'react';

/** Whether the screen that a navigation leads to may take the focus: not once the person has gone on to something else. */
let awaited = false;

const ACTIONS = ['pointerdown', 'keydown', 'focusin'] as const;
const goOn = () => (awaited = false);

/** Notes what a person does after each navigation. For the frame that stays while screens change; the first screen is not navigated to. */
export function useNavigations(path: string): void {
  useEffect(() => {
    for (const action of ACTIONS) document.addEventListener(action, goOn, true);
    return () => {
      awaited = false;
      for (const action of ACTIONS) document.removeEventListener(action, goOn, true);
    };
  }, []);
  // Before the effects of the screen, which may be there at once.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- leaving a path is the event
  useLayoutEffect(() => () => void (awaited = true), [path]);
}

/** Whether the focus belongs to the screen that has just arrived. */
export function takesFocus(): boolean {
  return awaited;
}
