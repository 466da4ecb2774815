import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { buttonClass } from './button';
import { usePopup } from './use-popup';

interface MenuProps {
  name: string;
  /** The content of its button. */
  label: ReactNode;
  items: MenuItem[];
}

export interface MenuItem {
  icon: ReactNode;
  text: string;
  onSelect: () => void;
}

/** A button with a menu of actions under it, after the pattern "Menu Button" of the ARIA Authoring Practices. */
export function Menu({ name, label, items }: MenuProps) {
  const { open, setOpen, box, button } = usePopup();
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (open) entriesOf(list.current)[0]?.focus();
  }, [open]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return setOpen(false);
    const all = entriesOf(list.current);
    const at = all.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: (at + 1) % all.length, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return undefined;
    event.preventDefault();
    return all.at(to)?.focus();
  };
  return (
    <div ref={box} className="relative">
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className={buttonClass('ghost', 'small')}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {label}
      </button>
      {open && (
        // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its items take the focus
        <div
          ref={list}
          id={id}
          role="menu"
          aria-label={name}
          onKeyDown={onKeyDown}
          className="enter absolute top-full right-0 z-50 mt-2 min-w-52 rounded-xl border border-line bg-surface p-1.5 text-ink shadow-card"
        >
          {items.map(({ icon, text, onSelect }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className="flex min-h-10 w-full items-center gap-2.5 rounded-md px-3 py-2 text-left text-sm hover:bg-raised focus:bg-raised focus-visible:-outline-offset-2! focus-visible:outline-2! focus-visible:outline-accent-ink!"
              onClick={() => {
                setOpen(false);
                button.current?.focus();
                onSelect();
              }}
            >
              {icon}
              {text}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function entriesOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}
