import { CopyButton } from './copy-button';

/** Code in running text. */
export function Code({ children }: { children: string }) {
  return <code className="rounded bg-raised px-1.5 py-0.5 font-mono text-[0.85em] [overflow-wrap:anywhere] text-ink">{children}</code>;
}

/** A line to copy. */
export function Command({ text, label }: { text: string; label: string }) {
  return (
    <span className="my-2 flex flex-wrap items-start gap-3">
      <code className="block min-w-0 flex-1 basis-72 rounded-lg bg-raised p-3 font-mono text-[0.85em] whitespace-pre-wrap [overflow-wrap:anywhere] text-ink">
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
