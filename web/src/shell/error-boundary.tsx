import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button';
import { StatePage } from '../ui/state-page';

/** Catches what a screen throws while it renders or loads; a reload, or another route by its `key`, starts afresh. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <StatePage title="Something went wrong" action={<Button onClick={() => location.reload()}>Reload</Button>}>
        <p role="alert">This page could not be shown. Reloading usually helps: a new version may just have been published.</p>
      </StatePage>
    );
  }
}
