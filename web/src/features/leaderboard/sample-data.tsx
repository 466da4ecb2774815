import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { removeSampleHolders } from '../../api/mutations';
import { sampleHoldersQuery } from '../../api/own-queries';
import { PROFILES_KEY } from '../../api/queries';
import { Button } from '../../ui/button';
import { Dropdown } from '../../ui/dropdown';
import { FailureLine } from '../../ui/failure';

/** Development only: says that the board has sample holders, and removes them. */
export default function SampleData() {
  const queries = useQueryClient();
  const { data: count = 0 } = useQuery(sampleHoldersQuery());
  const removal = useMutation({ mutationFn: removeSampleHolders, onSuccess: () => queries.invalidateQueries({ queryKey: PROFILES_KEY }) });
  if (count === 0) return null;
  return (
    <span className="[&>button]:h-6 [&>button]:border-0 [&>button]:bg-warning-soft [&>button]:px-2 [&>button]:text-xs [&>button]:text-warning">
      <Dropdown name="Sample data" label="Sample data">
        <div className="max-w-64 space-y-3 p-2 text-sm">
          <p>{count} holders are made up, with real signatures over coins of the development chain.</p>
          <Button look="secondary" size="small" disabled={removal.isPending} onClick={() => removal.mutate()}>
            Remove sample data
          </Button>
          <FailureLine error={removal.error} fallback="Couldn’t remove it. Try again." />
        </div>
      </Dropdown>
    </span>
  );
}
