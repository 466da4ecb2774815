import { useQuery } from '@tanstack/react-query';
import { workQuery } from '../../lib/work-query';
import { normalizeWords } from '../../psbt';
import { Notice } from '../../ui/notice';

/** The words of a text that mix letters of several alphabets. Invalid words are reported where they are used. */
export function useMixed(text: string): string[] {
  return useQuery(workQuery('mixed', [text], () => normalizeWords(text))).data?.mixed ?? [];
}

/** Names such words; `before` and `after` say whose they are, and what follows from that. */
export function Mixed({ words, before, after = '' }: { words: string[]; before: string; after?: string }) {
  if (words.length === 0) return null;
  return (
    <Notice tone="warning" title="Letters that look alike">
      <p>
        {before} letters of several alphabets: <bdi>{words.join(', ')}</bdi>. {after}
      </p>
    </Notice>
  );
}
