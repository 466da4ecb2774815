import { Menu } from '@base-ui/react/menu';
import { buttonClass } from './button';
import type { MenuProps } from './popup-props';
import { useFirstPress } from './popup';

export default function LoadedMenu({ name, label, items }: MenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger ref={useFirstPress()} className={buttonClass('ghost', 'small')}>
        {label}
      </Menu.Trigger>
      {/* It stands at the end of the document, outside all landmarks, so it is one itself. */}
      <Menu.Portal render={<nav aria-label={name} />}>
        <Menu.Positioner align="end" sideOffset={8} className="z-50">
          <Menu.Popup className="enter min-w-52 rounded-xl border border-line bg-surface p-1.5 text-ink shadow-card outline-none">
            {items.map(({ icon, text, onSelect }) => (
              <Menu.Item
                key={text}
                onClick={onSelect}
                className="flex min-h-10 cursor-pointer items-center gap-2.5 rounded-md px-3 py-2 text-sm data-highlighted:bg-raised focus-visible:-outline-offset-2!"
              >
                {icon}
                {text}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
