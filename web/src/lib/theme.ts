import { useSyncExternalStore } from 'react';
import { storedText } from './storage';

/** The key in localStorage, the same in public/early.js, which applies the stored choice before the first paint. */
const KEY = 'theme';
const chosenTheme = storedText('localStorage', KEY);
export type Theme = 'light' | 'dark';

const listeners = new Set<() => void>();
const osDark = () => window.matchMedia('(prefers-color-scheme: dark)');

function current(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return osDark().matches ? 'dark' : 'light';
}

function subscribe(listener: () => void): () => void {
  const media = osDark();
  const onStorage = ({ key, newValue }: StorageEvent) => {
    // Chosen in another tab; nothing is left of a choice when storage is cleared.
    if (key !== KEY && key !== null) return;
    if (newValue === 'light' || newValue === 'dark') document.documentElement.dataset.theme = newValue;
    else delete document.documentElement.dataset.theme;
    listener();
  };
  listeners.add(listener);
  media.addEventListener('change', listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    media.removeEventListener('change', listener);
    window.removeEventListener('storage', onStorage);
  };
}

/** Applies a theme and stores the choice. */
export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  chosenTheme.set(theme);
  for (const listener of listeners) listener();
}

/** The theme in force: the stored choice, else the OS preference. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, current, () => 'light');
}
