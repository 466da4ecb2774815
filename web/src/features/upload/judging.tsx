import { closeProofReader } from '../../psbt';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { Working } from '../../ui/working';
import { BringAnother } from './bring-file';
import type { Judged } from './use-binding';
import type { Making } from './use-making';

/** Whether it is not known yet whose a file is, or the user has stopped looking. */
export const isJudging = ({ binding, stopped }: Judged) => binding === undefined || stopped;

/** What is shown then. The first time it waits for the module that makes proofs and checks signatures. */
export function Judging({ judged, file, onFiles }: Pick<Making, 'onFiles'> & { judged: Judged; file: File }) {
  if (judged.binding === undefined) return <Working onStop={closeProofReader}>Reading whose it is</Working>;
  return (
    <>
      <Notice tone="warning" role="alert" title="You stopped reading the file.">
        <Button look="secondary" size="small" onClick={judged.again}>
          Read It Again
        </Button>
      </Notice>
      <BringAnother file={file} failed onFiles={onFiles} />
    </>
  );
}
