import { Download, ExternalLink, Link2, Share2 } from 'lucide-react';
import { sharedName } from '../../lib/names';
import { Button, buttonClass, type ButtonLook } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { cardAddress, postAddress, rowAddress, type Shared, shareText } from './share-links';

interface ShareActionsProps {
  person: Shared;
  isOwn: boolean;
  /** The look of the first button. */
  look?: ButtonLook;
}

/** What can be done with a holder's row: post it, keep its picture, copy its address, or send it by the device. */
export function ShareActions({ person, isOwn, look = 'primary' }: ShareActionsProps) {
  const { origin } = window.location;
  const link = rowAddress(person, origin);
  const sheet = { text: shareText(person, isOwn), url: link };
  return (
    <div className="flex flex-wrap gap-2 max-sm:*:grow">
      <a href={postAddress(person, isOwn, origin)} target="_blank" rel="noopener noreferrer" className={buttonClass(look, 'field')}>
        <ExternalLink className="size-4" aria-hidden="true" />
        Share rank on X
      </a>
      {person.rank !== null && (
        <a href={cardAddress(person)} download={`${sharedName(person).replace(':', '-')}.png`} className={buttonClass('secondary', 'field')}>
          <Download className="size-4" aria-hidden="true" />
          Save picture
        </a>
      )}
      <CopyButton text={link} label="Copy link" icon={Link2} size="field" />
      {'share' in navigator && (
        // Closing the sheet rejects the promise.
        <Button icon={Share2} look="secondary" size="field" className="pointer-fine:hidden" onClick={() => void navigator.share(sheet).catch(() => {})}>
          Share
        </Button>
      )}
    </div>
  );
}
