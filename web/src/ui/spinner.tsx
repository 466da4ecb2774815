import { LoaderCircle } from 'lucide-react';
import { cx } from '../lib/cx';

/** A turning ring; a text next to it carries the meaning. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden="true" className={cx('size-5 animate-spin text-accent-ink', className)} />;
}

/** A loading page. */
export function PageLoading({ text = 'Loading...' }: { text?: string }) {
  return (
    <div role="status" className="flex min-h-svh items-start justify-center gap-3 pt-[25vh] text-muted">
      <Spinner />
      {/* Every screen has a first-level heading. */}
      <h1 className="text-base">{text}</h1>
    </div>
  );
}
