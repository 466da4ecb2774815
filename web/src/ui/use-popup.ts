import { useEffect, useRef, useState } from 'react';
import { listen } from '../lib/listen';

/** A popup below a button. Escape, a press elsewhere, or moving the focus out closes it. */
export function usePopup() {
  const [open, setOpen] = useState(false);
  /** Around the button and its popup. */
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return undefined;
    const leave = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    return listen(document, { pointerdown: leave, focusin: leave, keydown: onKey });
  }, [open]);

  return { open, setOpen, box, button };
}
