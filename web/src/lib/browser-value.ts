import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * Something that only this browser knows. The page that the server has sent was drawn without it, so `first` stands for it
 * until the app has taken that page over.
 */
export function useBrowserValue<Value extends string | number | boolean>(value: () => Value, first: () => Value): Value {
  return useSyncExternalStore(never, value, first);
}
