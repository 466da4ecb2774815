import type { ReactNode } from 'react';
import { CopyButton } from './copy-button';

interface CopiedProps {
  title: ReactNode;
  text: string;
  /** The name of its button. */
  label: string;
}

/** A line to copy or to compare, under its title. */
export function Copied({ title, text, label }: CopiedProps) {
  return (
    <>
      <div className="mb-2 flex items-center justify-between gap-2">
        <h2 className="flex items-center gap-2 font-semibold">{title}</h2>
        <CopyButton text={text} label={label} />
      </div>
      <Line>{text}</Line>
    </>
  );
}

/** A line in a font of equal widths, in which every letter can be compared. */
export function Line({ children }: { children: string }) {
  return <p className="rounded-lg bg-raised p-3 font-mono text-[0.8125rem] [overflow-wrap:anywhere] text-ink">{children}</p>;
}
