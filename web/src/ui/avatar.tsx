import { useEffect, useRef, useState } from 'react';
import { cx } from '../lib/cx';
import { smallPicture, wholePicture } from '../lib/picture';

const SIZES = { tiny: 'size-7 text-xs', small: 'size-8 text-xs', medium: 'size-10 text-sm', large: 'size-20 text-2xl sm:size-24 sm:text-3xl' };

interface AvatarProps {
  /** The picture, as `ownPicture` gives it. */
  picture: string | null;
  /** The letter that stands in for it. */
  initial: string;
  size?: keyof typeof SIZES;
}

/**
 * A person's picture, or the first letter of the name. The server fetches the `_400x400` picture from the provider and
 * serves it itself, so a reader's browser never talks to the provider's image host.
 */
export function Avatar({ picture, initial, size = 'medium' }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const image = useRef<HTMLImageElement>(null);
  // It may have failed before the app was there.
  useEffect(() => {
    if (image.current?.complete && image.current.naturalWidth === 0) setBroken(picture);
  }, [picture]);
  const shape = cx('shrink-0 rounded-full', SIZES[size]);
  if (picture === null || broken === picture) {
    return (
      <span aria-hidden="true" className={cx(shape, 'grid place-items-center bg-raised font-semibold text-muted')}>
        {initial}
      </span>
    );
  }
  // The server has two forms: 96 pixels square, and the whole picture of at most 400.
  const large = size === 'large';
  const side = large ? 192 : 96;
  return (
    <img
      ref={image}
      src={large ? wholePicture(picture) : smallPicture(picture)}
      alt=""
      width={side}
      height={side}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(picture)}
      className={cx(shape, 'bg-raised object-cover')}
    />
  );
}
