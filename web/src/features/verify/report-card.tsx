import { useState } from 'react';
import { Printer } from 'lucide-react';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { reportGiven, type ReportKnown } from './report-given';
import type { Asking } from './use-coins';
import { whenUsed } from './when-used';

const loadReport = () => import('./report');
const Report = whenUsed(loadReport);

interface ReportCardProps extends Omit<ReportKnown, 'prepared' | 'askedFor' | 'check'> {
  asking: Asking;
}

/** The report of what was checked, made when it is wanted. */
export function ReportCard({ asking: { askedFor, busy, checks }, ...known }: ReportCardProps) {
  const [prepared, setPrepared] = useState<Date | null>(null);
  const check = busy ? null : (checks.at(-1) ?? null);
  return (
    <>
      <Card title="The report">
        <p className="mb-4 text-sm text-muted">A paper for your files: the request, the coins, the date, the SHA-256 of each file, and how to check it again.</p>
        <div className="flex flex-wrap gap-3">
          <Button look="secondary" disabled={busy} onClick={() => setPrepared(new Date())}>
            {prepared ? 'Make it again' : 'Make the report'}
          </Button>
          {prepared && (
            <Button look="secondary" icon={Printer} onClick={() => window.print()}>
              Print it or save it as PDF
            </Button>
          )}
        </div>
      </Card>
      {prepared && !busy && <Report {...reportGiven({ ...known, askedFor, check, prepared })} />}
    </>
  );
}

/** Loads the report before it is wanted, so that it can be made without a connection. */
export const prepareReport = () => void loadReport().catch(() => {});
