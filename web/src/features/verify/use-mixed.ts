import { useWork } from '../../lib/use-work';
import { normalizeWords } from '../../psbt';

/** The words of a text that mix letters of several alphabets. Invalid words are reported where they are used. */
export function useMixed(text: string): string[] {
  const { value } = useWork(() => normalizeWords(text), [text]);
  return value?.mixed ?? [];
}
