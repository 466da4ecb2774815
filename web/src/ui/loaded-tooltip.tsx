import { useState } from 'react';
import { Tooltip } from '@base-ui/react/tooltip';
import type { Attention, TooltipProps } from './popup-props';

export default function LoadedTooltip({ label, text, className, attention, children }: TooltipProps & { attention: Attention }) {
  const [open, setOpen] = useState(attention !== null);
  return (
    <Tooltip.Root open={open} onOpenChange={setOpen}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that it replaces had the focus */}
      <Tooltip.Trigger aria-label={label} autoFocus={attention === 'focus'} delay={0} closeOnClick={false} onClick={() => setOpen(true)} className={className}>
        {children}
      </Tooltip.Trigger>
      {/* Inside a landmark, as all text of a page is. */}
      <Tooltip.Portal container={document.querySelector('main') ?? undefined}>
        <Tooltip.Positioner side="bottom" align="start" collisionPadding={16} className="z-30">
          <Tooltip.Popup role="tooltip" className="max-w-[min(20rem,60vw)] rounded-lg bg-ink px-3 py-1.5 text-sm [overflow-wrap:anywhere] text-canvas">
            {text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
