import { useState } from 'react';
import { cx } from '../lib/cx';
import { initial } from '../lib/names';

const SIZES = { small: 'size-8 text-xs', medium: 'size-10 text-sm', large: 'size-20 text-2xl sm:size-24 sm:text-3xl' };
/** Twice the largest shown size, for dense screens. */
const PIXELS = { small: 96, medium: 96, large: 192 };

interface AvatarProps {
  profileId: string;
  username: string;
  /** Whether the person has a picture at all. */
  hasImage: boolean;
  size?: keyof typeof SIZES;
}

/**
 * A person's picture, from our own origin, or the first letter of the name. The server fetches the `_400x400`
 * picture behind it, so a reader's browser never talks to the provider's image host.
 */
export function Avatar({ profileId, username, hasImage, size = 'medium' }: AvatarProps) {
  const [broken, setBroken] = useState(false);
  const shape = cx('shrink-0 rounded-full', SIZES[size]);
  if (!hasImage || broken) {
    return (
      <span aria-hidden="true" className={cx(shape, 'grid place-items-center bg-raised font-semibold text-muted')}>
        {initial(username)}
      </span>
    );
  }
  const side = PIXELS[size];
  const query = new URLSearchParams({ width: `${side}`, height: `${side}`, resize: 'cover', quality: '80' });
  return (
    <img
      src={`/api/storage/v1/avatar/${encodeURIComponent(profileId)}?${query}`}
      alt=""
      width={side}
      height={side}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
      className={cx(shape, 'bg-raised object-cover')}
    />
  );
}
