/** What public/early.js has begun before the app was there. */

declare global {
  interface Window {
    /** The button that was pressed last; gone as soon as the app listens itself. */
    pressedEarly?: HTMLButtonElement | null;
  }
}

let pressed: HTMLButtonElement | null = null;

/** From now on the app hears every press. */
export function holdEarlyPress(): void {
  pressed = window.pressedEarly ?? null;
  delete window.pressedEarly;
}

/** Presses the button of the page that the server has sent once more. */
export function replayEarlyPress(): void {
  if (pressed?.isConnected) pressed.click();
  pressed = null;
}

/** From now on the app says what is for whom; until then the style sheet did, by this attribute. */
export function sessionIsKnown(): void {
  delete document.documentElement.dataset.session;
}
