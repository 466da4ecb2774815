import { Popover } from '@base-ui/react/popover';
import { buttonClass } from './button';
import type { DropdownProps } from './popup-props';
import { useFirstPress } from './popup';

export default function LoadedDropdown({ name, label, children }: DropdownProps) {
  return (
    <Popover.Root>
      <Popover.Trigger ref={useFirstPress()} className={buttonClass('secondary', 'field')}>
        {label}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={8} collisionPadding={16} className="z-30">
          <Popover.Popup aria-label={name} className="enter min-w-56 rounded-xl border border-line bg-surface p-1.5 text-ink shadow-card">
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
