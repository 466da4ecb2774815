import type { ReactNode } from 'react';
import { DropdownMenu } from 'radix-ui';
import { Check } from 'lucide-react';
import { cx } from '../lib/cx';

const ITEM =
  'flex min-h-10 w-full cursor-pointer items-center gap-2.5 rounded-md px-3 py-2 text-sm outline-none select-none data-highlighted:bg-raised data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-accent-ink';

interface MenuProps {
  trigger: ReactNode;
  align?: 'start' | 'end';
  children: ReactNode;
}

/** A dropdown menu. Not modal: a modal one would inject a style sheet to lock scrolling. */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={8}
          collisionPadding={12}
          className="enter z-50 min-w-52 rounded-xl border border-line bg-surface p-1.5 text-ink shadow-card"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function MenuItem({ onSelect, icon, children }: { onSelect: () => void; icon?: ReactNode; children: ReactNode }) {
  return (
    <DropdownMenu.Item className={ITEM} onSelect={onSelect}>
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}

interface MenuCheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** A checkbox inside a menu; the menu stays open while it is toggled. */
export function MenuCheckbox({ checked, onChange, children }: MenuCheckboxProps) {
  return (
    <DropdownMenu.CheckboxItem
      className={ITEM}
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span
        aria-hidden="true"
        className={cx(
          'grid size-4.5 place-items-center rounded border',
          checked ? 'border-accent bg-accent text-on-accent' : 'border-line-strong',
        )}
      >
        {checked && <Check className="size-3.5" strokeWidth={3} />}
      </span>
      {children}
    </DropdownMenu.CheckboxItem>
  );
}
