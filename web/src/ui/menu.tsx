import { lazy, type ReactNode } from 'react';
import { buttonClass } from './button';
import { useWanted } from './first-press';

const LoadedMenu = lazy(() => import('./loaded-menu'));

export interface MenuProps {
  /** Of the open menu, for screen readers. */
  name: string;
  /** The content of its button. */
  label: ReactNode;
  items: { icon: ReactNode; text: string; onSelect: () => void }[];
}

/** A button with a menu of actions under it. Its code loads with the first press. */
export function Menu(props: MenuProps) {
  const [wanted, want] = useWanted();
  if (wanted) return <LoadedMenu {...props} />;
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      className={buttonClass('ghost', 'small')}
      onClick={want}
      onKeyDown={({ key }) => key === 'ArrowDown' && want()}
    >
      {props.label}
    </button>
  );
}
