import { useEffect, useState } from 'react';
import { normalizeWords } from '../../psbt';

/** The words of a text that mix letters of several alphabets. */
export function useMixed(text: string): string[] {
  const [found, setFound] = useState<{ text: string; mixed: string[] } | null>(null);
  useEffect(() => {
    let current = true;
    normalizeWords(text).then(
      ({ mixed }) => current && setFound({ text, mixed }),
      () => {}, // invalid words are reported where they are used
    );
    return () => {
      current = false;
    };
  }, [text]);
  return found?.text === text ? found.mixed : [];
}
