import { createElement, lazy, Suspense, type ComponentType, type ReactNode } from 'react';

/** A component whose code loads when it is first shown; until then `waiting` is. */
export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>, waiting: ReactNode = null): ComponentType<P> {
  const Loaded = lazy(load);
  return function Later(props: P) {
    return <Suspense fallback={waiting}>{createElement(Loaded as ComponentType<P>, props)}</Suspense>;
  };
}
