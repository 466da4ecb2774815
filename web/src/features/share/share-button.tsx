import { lazy, Suspense, useState } from 'react';
import { Share2 } from 'lucide-react';
import type { Profile } from '../../api/types';
import { buttonClass } from '../../ui/button';

const ShareDialog = lazy(() => import('./share-dialog'));

interface ShareButtonProps {
  person: Pick<Profile, 'username' | 'provider' | 'named'>;
  className?: string;
}

/** Opens what there is to share of somebody; its code comes with the first press. */
export function ShareButton({ person, className = buttonClass('secondary') }: ShareButtonProps) {
  const [opened, setOpened] = useState(0);
  return (
    <>
      <button type="button" aria-haspopup="dialog" className={className} onClick={() => setOpened(opened + 1)}>
        <Share2 className="size-4" aria-hidden="true" />
        Share
      </button>
      {opened > 0 && (
        <Suspense fallback={null}>
          <ShareDialog key={opened} person={person} />
        </Suspense>
      )}
    </>
  );
}
