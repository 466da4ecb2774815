import { useEffect, useRef, useState } from 'react';
import { cx } from '../lib/cx';
import { smallPicture, wholePicture } from '../lib/picture';

const SIZES = {
  tiny: 'size-7 text-xs',
  small: 'size-8 text-xs',
  row: 'size-9 text-sm lg:size-7 lg:text-xs',
  medium: 'size-10 text-sm',
  card: 'size-12 text-lg',
  large: 'size-16 text-2xl sm:size-20 sm:text-3xl',
};

/** Each dark enough for white letters (WCAG 2.2, 1.4.3). */
const COLORS = ['bg-[#9a5b1e]', 'bg-[#2f7d86]', 'bg-[#7a4bbd]', 'bg-[#3b6cb4]', 'bg-[#a23a66]', 'bg-[#4b7a2a]', 'bg-[#ae482f]', 'bg-[#4f566b]'];

/** A background color that an id always has. */
export function colorOf(id: string): string {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return cx(COLORS[sum % COLORS.length], 'text-[#fff]');
}

/** Addresses without a picture, which are requested only once. */
const missing = new Set<string>();

interface AvatarProps {
  /** The picture, as `ownPicture` gives it. */
  picture: string | null;
  /** The letter without a picture. */
  initial: string;
  /** The id that chooses the letter's background. */
  seed?: string;
  size?: keyof typeof SIZES;
}

/**
 * A person's picture, or the first letter of the name. The server fetches the `_400x400` picture from the provider and
 * serves it itself, so a reader's browser never talks to the provider's image host.
 */
export function Avatar({ picture, initial, seed = initial, size = 'medium' }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const fail = () => {
    if (picture !== null) missing.add(picture);
    setBroken(picture);
  };
  const image = useRef<HTMLImageElement>(null);
  // The picture may have failed before the app had started.
  useEffect(() => {
    if (image.current?.complete && image.current.naturalWidth === 0) fail();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each picture
  }, [picture]);
  const shape = cx('shrink-0 rounded-full', SIZES[size]);
  if (picture === null || broken === picture || missing.has(picture)) {
    return (
      <bdi aria-hidden="true" className={cx(shape, 'grid place-items-center font-semibold', colorOf(seed))}>
        {initial}
      </bdi>
    );
  }
  // The server has two forms: 96 pixels square, and the whole picture of at most 400.
  const large = size === 'large' || size === 'card';
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
      onError={fail}
      className={cx(shape, 'bg-raised object-cover')}
    />
  );
}
