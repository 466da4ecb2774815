import { lazy, useState } from 'react';
import { useWanted } from './popup';
import type { Attention, TooltipProps } from './popup-props';

const LoadedTooltip = lazy(() => import('./loaded-tooltip'));

/** A small button that shows a text on hover, on focus and on a press; Escape hides it. Its code loads with the first of them. */
export function Tooltip(props: TooltipProps) {
  const [wanted, want] = useWanted();
  const [attention, setAttention] = useState<Attention>(null);
  if (wanted) return <LoadedTooltip {...props} attention={attention} />;
  const attend = (by: Attention) => () => {
    setAttention(by);
    want();
  };
  const leave = () => setAttention(null);
  return (
    <button type="button" aria-label={props.label} className={props.className} onPointerEnter={attend('pointer')} onPointerLeave={leave} onFocus={attend('focus')} onBlur={leave}>
      {props.children}
    </button>
  );
}
