import { useId, type ReactNode } from 'react';
import { ChevronDown } from 'lucide-react';
import { Button } from './button';
import { usePopup } from './use-popup';

interface DropdownProps {
  label: ReactNode;
  children: ReactNode;
}

/** A button that shows a small panel of form controls under it. Not an ARIA menu: the controls keep their roles. */
export function Dropdown({ label, children }: DropdownProps) {
  const { open, setOpen, box, button } = usePopup();
  const id = useId();
  return (
    <div ref={box} className="relative">
      <Button ref={button} look="secondary" size="field" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {label}
        <ChevronDown className="hidden size-4 text-muted sm:block" aria-hidden="true" />
      </Button>
      <div
        id={id}
        hidden={!open}
        // A press on the text inside moves the focus here, which keeps it open.
        tabIndex={-1}
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

/** A checkbox with its label, large enough for a finger. */
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
