import { STATIC } from '../../lib/site';
import { Card } from '../../ui/card';
import { Command } from '../../ui/code';
import { auditCommand } from './judge';

/** What nobody can be shown, and the way to check everything. */
export function LimitsCard({ origin }: { origin: string }) {
  return (
    <Card title="What no proof shows">
      <ul className="list-disc space-y-1 pl-5 text-sm">
        <li>That one person controls these keys and hasn’t shared or lent them.</li>
        <li>That they have no debts: coins may be borrowed or pledged.</li>
        <li>That they will hold them tomorrow. A spent coin is noticed at once; a sold key is not.</li>
      </ul>
      {!STATIC && (
        <>
          <p className="mt-4 text-sm">Check the whole board with Bitcoin Core’s own engine and your own node:</p>
          <div className="text-sm">
            <Command text={auditCommand(origin)} label="Copy the command" />
          </div>
        </>
      )}
    </Card>
  );
}
