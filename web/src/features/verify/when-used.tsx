import type { ComponentType } from 'react';
import { later } from '../../ui/later';
import { Notice } from '../../ui/notice';

/** A part of the page whose code loads when it is first shown. Without a connection it says so, and the rest of the page goes on. */
export function whenUsed<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  return later<P>(() => load().catch(() => ({ default: Unloaded })), <p role="status">Loading...</p>);
}

function Unloaded() {
  return <Notice tone="warning" role="alert" text="This part of the page couldn’t be loaded. Check your connection, then reload the page." />;
}
