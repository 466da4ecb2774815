import { useState } from 'react';
import { Share2 } from 'lucide-react';
import { buttonClass } from '../../ui/button';
import { later } from '../../ui/later';
import type { Shared } from './share-links';

const ShareDialog = later(() => import('./share-dialog'));

/** Opens the dialog with a holder's link and card; its code loads with the first press. */
export function ShareButton({ person, className = buttonClass('secondary') }: { person: Shared & { id: string }; className?: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" aria-haspopup="dialog" className={className} onClick={() => setOpen(true)}>
        <Share2 className="size-4" aria-hidden="true" />
        Share
      </button>
      {open && <ShareDialog person={person} onClose={() => setOpen(false)} />}
    </>
  );
}
