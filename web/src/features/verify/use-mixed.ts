import { useQuery } from '@tanstack/react-query';
import { workQuery } from '../../lib/work-query';
import { normalizeWords } from '../../psbt';

/** The words of a text that mix letters of several alphabets. Invalid words are reported where they are used. */
export function useMixed(text: string): string[] {
  return useQuery(workQuery('mixed', [text], () => normalizeWords(text))).data?.mixed ?? [];
}
