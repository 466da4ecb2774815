/** One text in the browser's storage. Storage may be full or closed to this page: then `get` gives null and the rest does nothing. */
export interface StoredText {
  get: () => string | null;
  set: (text: string) => void;
  remove: () => void;
}

/** A text that this browser keeps (`localStorage`), or only this tab (`sessionStorage`). */
export function storedText(storage: 'localStorage' | 'sessionStorage', key: string): StoredText {
  return {
    get: () => attempt(() => window[storage].getItem(key)),
    set: (text) => void attempt(() => window[storage].setItem(key, text)),
    remove: () => void attempt(() => window[storage].removeItem(key)),
  };
}

/** Whether this browser lets the page keep anything. */
export function storageWorks(): boolean {
  const probe = storedText('localStorage', 'probe');
  probe.set('1');
  const works = probe.get() === '1';
  probe.remove();
  return works;
}

function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}
