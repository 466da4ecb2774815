import { useState } from 'react';
import { cx } from '../lib/cx';
import { initial } from '../lib/names';

const SIZES = { small: 'size-8 text-xs', medium: 'size-10 text-sm', large: 'size-20 text-2xl sm:size-24 sm:text-3xl' };
/** Twice the largest shown size, for dense screens. */
const PIXELS = { small: 96, medium: 96, large: 192 };

interface AvatarProps {
  /** The picture's address at our own origin, as profiles carry it; null when there is none. */
  src: string | null;
  username: string;
  size?: keyof typeof SIZES;
}

/** The start of every picture's address. Any other would make the reader's browser talk to somebody else's host. */
const OWN = '/api/storage/';

/**
 * A person's picture, or the first letter of the name. The server fetches the `_400x400` picture from the provider and
 * serves it itself, so a reader's browser never talks to the provider's image host.
 */
export function Avatar({ src, username, size = 'medium' }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const shape = cx('shrink-0 rounded-full', SIZES[size]);
  if (!src?.startsWith(OWN) || broken === src) {
    return (
      <span aria-hidden="true" className={cx(shape, 'grid place-items-center bg-raised font-semibold text-muted')}>
        {initial(username)}
      </span>
    );
  }
  const side = PIXELS[size];
  return (
    <img
      src={sized(src, side)}
      alt=""
      width={side}
      height={side}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(src)}
      className={cx(shape, 'bg-raised object-cover')}
    />
  );
}

/** The address of the picture at this many pixels. */
function sized(src: string, side: number): string {
  const [path, query] = src.split('?');
  const params = new URLSearchParams(query);
  params.set('width', `${side}`);
  params.set('height', `${side}`);
  params.set('format', 'webp');
  return `${path}?${params}`;
}
