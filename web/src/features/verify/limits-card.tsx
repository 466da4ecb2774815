import { STATIC } from '../../lib/site';
import { Card } from '../../ui/card';
import { Command } from '../../ui/code';
import { auditCommand } from './judge';

/** What nobody can be shown, and the way to check everything. */
export function LimitsCard({ origin }: { origin: string }) {
  return (
    <Card title="What no proof shows">
      <ul className="list-disc space-y-1 pl-5 text-sm">
        <li>That somebody holds these keys alone, and has not given or lent them to others.</li>
        <li>That they owe nobody anything: coins may be borrowed, or pledged.</li>
        <li>That they hold them tomorrow. A coin that is spent is seen at once; a key that is sold is not.</li>
      </ul>
      {!STATIC && (
        <>
          <p className="mt-4 text-sm">The whole board, with Bitcoin Core’s own engine, a node of your own and one command:</p>
          <div className="text-sm">
            <Command text={auditCommand(origin)} label="Copy the command" />
          </div>
        </>
      )}
    </Card>
  );
}
