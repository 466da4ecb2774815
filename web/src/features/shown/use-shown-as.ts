import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeProfile, unpublishProofs } from '../../api/mutations';
import { profileQuery, PROFILES_KEY } from '../../api/queries';
import type { Profile, ShownAs } from '../../api/types';

/** Stores what others see of a total. A range and published proofs exclude each other. */
export function useShownAs({ id, published_sats: published }: Profile) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (shown_as: ShownAs) => {
      if (shown_as === 'range' && published !== null) await unpublishProofs(id);
      await changeProfile(id, { shown_as });
    },
    onSuccess: async (_, shown_as) => {
      queries.setQueryData<Profile | null>(profileQuery(id).queryKey, (old) => old && { ...old, shown_as });
      await queries.invalidateQueries({ queryKey: PROFILES_KEY });
    },
  });
}
