/** The address of the chain source that somebody chose last. */

const KEY = 'verify-source';

export function rememberedSource(): string | null {
  try {
    return sourceIn(localStorage.getItem(KEY) ?? '');
  } catch {
    // Storage is closed to this page.
    return null;
  }
}

export function rememberSource(source: string): void {
  try {
    localStorage.setItem(KEY, source);
  } catch {
    // Storage is closed to this page: it is chosen again.
  }
}

/** An address as requests begin with it; null for what is none. */
export function sourceIn(typed: string): string | null {
  try {
    const { protocol, origin, pathname, username } = new URL(typed.trim());
    return /^https?:$/.test(protocol) && username === '' ? origin + pathname.replace(/\/+$/, '') : null;
  } catch {
    return null;
  }
}
