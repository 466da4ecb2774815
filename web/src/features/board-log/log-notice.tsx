import { useQueryClient } from '@tanstack/react-query';
import { currentLog } from '../../api/log';
import { firstSeen, keepLog, type Look, type Unknown } from '../../lib/board-log/checkpoints';
import { download } from '../../lib/download';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { LOG_KEY } from './watch';

type Denial = Look & { goesOn: false };

/** What was found out about the board's log, when the reader has to know. */
export default function LogNotice({ outcome, onRead }: { outcome: Exclude<Look, { goesOn: true }>; onRead: () => void }) {
  return outcome.goesOn === 'unknown' ? <Unanswered outcome={outcome} /> : <Alarm denial={outcome} onRead={onRead} />;
}

function Unanswered({ outcome: { came, reason } }: { outcome: Unknown }) {
  const answer = reason ?? `The server answered with ${came}, several times.`;
  return <Notice role="status" title="Couldn’t check the board’s history" text={`${answer} This browser tries again every few minutes. If this continues, ask the operator of the board.`} />;
}

const titleOf = ({ seen }: Denial) => (seen ? 'This board’s history no longer matches what you saw' : 'This page shows the history of another board');

function Alarm({ denial, onRead }: { denial: Denial; onRead: () => void }) {
  const { code, seen, now, newLog, reason } = denial;
  const both = seen !== null && now !== '';
  const queries = useQueryClient();
  const accept = async () => {
    onRead();
    // A withheld part may come back, and is then compared with what was seen. Another board's log is never kept.
    if (code === 'missing' || code === 'other-board') return;
    try {
      const log = await currentLog();
      keepLog(await firstSeen(log, await log.text('checkpoint')), location.host, true);
      await queries.invalidateQueries({ queryKey: LOG_KEY });
    } catch {
      // Then the next visit says it again.
    }
  };
  const save = () => {
    const before = seen ? `What this browser had seen:\n\n${seen.checkpoint}\n` : '';
    const text = `${before}What the board says now:\n\n${now || `${reason}\n`}`;
    download(new File([text], 'checkpoints.txt', { type: 'text/plain' }));
  };
  return (
    <Notice tone="danger" role="alert" title={titleOf(denial)}>
      <p>{reason}</p>
      {newLog ? <p>The operator says: “{newLog}”</p> : null}
      <p>
        Don’t rely on this board until its operator explains this.{' '}
        {both ? 'Save both checkpoints: they are signed, so anyone can see the difference.' : 'Save the checkpoint: it is signed, so you can show it to others.'}
      </p>
      <div className="flex flex-wrap gap-3 pt-3">
        <Button look="secondary" onClick={save}>
          {both ? 'Download Both Checkpoints' : 'Download the Checkpoint'}
        </Button>
        <Button look="ghost" onClick={() => void accept()}>
          I Have Read This
        </Button>
      </div>
    </Notice>
  );
}
