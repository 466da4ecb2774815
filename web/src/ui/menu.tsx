import type { ReactNode } from 'react';
import { buttonClass } from './button';
import { popup } from './popup';

export interface MenuProps {
  /** Of the open menu, for screen readers. */
  name: string;
  /** The content of its button. */
  label: ReactNode;
  items: { icon: ReactNode; text: string; onSelect: () => void }[];
}

/** A button with a menu of actions under it. */
export const Menu = popup<MenuProps>('menu', buttonClass('ghost', 'small'), () => import('./loaded-menu'));
