import { useEffect, useRef, useState, type RefObject } from 'react';

/** For a field whose text can be erased: `erase` makes it another element, because redo would bring the text back (Chromium). */
export function useErasable<Field extends HTMLElement>(given?: RefObject<Field | null>) {
  const own = useRef<Field>(null);
  const field = given ?? own;
  const [key, setKey] = useState(0);
  useEffect(() => {
    if (key > 0) field.current?.focus();
  }, [key, field]);
  return { key, field, erase: () => setKey((before) => before + 1) };
}
