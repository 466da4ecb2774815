/** What the menu, the dropdown and the tooltip are given: at once, and again when their code has loaded. */
import type { ReactNode } from 'react';

export interface DropdownProps {
  /** The name of the panel. */
  name: string;
  label: ReactNode;
  children: ReactNode;
}

export interface MenuProps {
  /** Of the open menu, for screen readers. */
  name: string;
  /** The content of its button. */
  label: ReactNode;
  items: { icon: ReactNode; text: string; onSelect: () => void }[];
}

export interface TooltipProps {
  /** The name of its button. */
  label: string;
  text: string;
  className: string;
  children: ReactNode;
}

/** What is at the button of a tooltip while its code loads. */
export type Attention = 'pointer' | 'focus' | null;
