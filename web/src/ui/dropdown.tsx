import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { ChevronDown } from 'lucide-react';
import { Button } from './button';

interface DropdownProps {
  label: ReactNode;
  children: ReactNode;
}

/**
 * A button that shows a small panel of form controls under it. Escape, a press elsewhere, or moving the focus out of it
 * closes it. It is a disclosure and no menu, so that what is inside keeps its own role.
 */
export function Dropdown({ label, children }: DropdownProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return undefined;
    const leave = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
      document.removeEventListener('keydown', onKey);
    };
  }, [open]);

  return (
    <div ref={box} className="relative">
      <Button ref={button} look="secondary" size="field" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {label}
        <ChevronDown className="hidden size-4 text-muted sm:block" aria-hidden="true" />
      </Button>
      <div
        id={id}
        hidden={!open}
        className="enter absolute top-full right-0 z-30 mt-2 min-w-56 rounded-xl border border-line bg-surface p-1.5 text-ink shadow-card sm:right-auto sm:left-0"
      >
        {children}
      </div>
    </div>
  );
}

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** A checkbox with its text, as high as a finger. */
export function Checkbox({ checked, onChange, children }: CheckboxProps) {
  return (
    <label className="flex min-h-10 items-center gap-2.5 rounded-md px-3 py-2 text-sm select-none hover:bg-raised">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4.5 accent-accent"
      />
      {children}
    </label>
  );
}
