import type { ReactNode } from 'react';
import { buttonClass } from './button';
import { popup } from './popup';
import type { DropdownProps } from './popup-props';

/** A button that shows a small panel of form controls under it. Not an ARIA menu: the controls keep their roles. */
export const Dropdown = popup<DropdownProps>('dialog', buttonClass('secondary', 'field'), () => import('./loaded-dropdown'));

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
