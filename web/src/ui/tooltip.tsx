import { useState, type ReactNode } from 'react';

interface TooltipProps {
  /** The name of its button. */
  label: string;
  text: string;
  className: string;
  children: ReactNode;
}

/** A small button that shows a text on hover, on focus and on a press; Escape hides it. */
export function Tooltip({ label, text, className, children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  return (
    // The text may be pointed at without its going away (WCAG 2.2, 1.4.13).
    <span className="relative" onPointerEnter={() => setOpen(true)} onPointerLeave={() => setOpen(false)}>
      <button
        type="button"
        aria-label={label}
        className={className}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
      >
        {children}
      </button>
      {open && (
        <span
          role="tooltip"
          className="absolute top-full left-0 z-30 w-max max-w-[min(20rem,60vw)] rounded-lg bg-ink px-3 py-1.5 text-sm font-normal [overflow-wrap:anywhere] text-canvas"
        >
          {text}
        </span>
      )}
    </span>
  );
}
