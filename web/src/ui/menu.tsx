import { buttonClass } from './button';
import { popup } from './popup';
import type { MenuProps } from './popup-props';

/** A button with a menu of actions under it. */
export const Menu = popup<MenuProps>('menu', buttonClass('ghost', 'small'), () => import('./loaded-menu'));
