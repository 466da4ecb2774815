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

/** A value that is kept as JSON: `read` takes what was stored, and gives null for anything that it cannot use. */
export function storedJson<Value>(storage: 'localStorage' | 'sessionStorage', key: string, read: (stored: unknown) => Value | null) {
  const { get, set, remove } = storedText(storage, key);
  return { get: () => attempt(() => read(JSON.parse(get() ?? 'null'))), set: (value: Value) => set(JSON.stringify(value)), remove };
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
