import { storedText } from '../../lib/storage';

/** The address of the chain source that was chosen last. */
const chosenSource = storedText('localStorage', 'verify-source');

export function rememberedSource(): string | null {
  return sourceIn(chosenSource.get() ?? '');
}

export const rememberSource = chosenSource.set;

/** An address as requests begin with it; null for what is none. */
export function sourceIn(typed: string): string | null {
  try {
    const { protocol, origin, pathname, username } = new URL(typed.trim());
    return /^https?:$/.test(protocol) && username === '' ? origin + pathname.replace(/\/+$/, '') : null;
  } catch {
    return null;
  }
}
