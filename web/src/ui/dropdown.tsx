import { lazy, type ReactNode } from 'react';
import { ChevronDown } from 'lucide-react';
import { Button } from './button';
import { useWanted } from './first-press';

const LoadedDropdown = lazy(() => import('./loaded-dropdown'));

export interface DropdownProps {
  /** The name of the panel. */
  name: string;
  label: ReactNode;
  children: ReactNode;
}

/** A button that shows a small panel of form controls under it, whose code loads with the first press. Not an ARIA menu: the controls keep their roles. */
export function Dropdown(props: DropdownProps) {
  const [wanted, want] = useWanted();
  if (wanted) return <LoadedDropdown {...props} />;
  return (
    <Button look="secondary" size="field" aria-haspopup="dialog" aria-expanded={false} onClick={want}>
      <DropdownLabel>{props.label}</DropdownLabel>
    </Button>
  );
}

export function DropdownLabel({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <ChevronDown className="hidden size-4 text-muted sm:block" aria-hidden="true" />
    </>
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
