import { useState } from 'react';
import { Download, FlaskConical } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { developmentSamplesQuery } from '../../api/own-queries';
import { download } from '../../lib/download';
import { Button } from '../../ui/button';
import { fileOf } from './development-wallet';
import { More } from '../../ui/more';

/** Development only: signed files made for this account on the development chain. */
export default function Samples({ onUse, disabled }: { onUse: (file: File) => void; disabled: boolean }) {
  const samples = useQuery(developmentSamplesQuery());
  // Folded again once one is used.
  const [used, setUsed] = useState(0);
  if (!samples.data?.length) return null;
  return (
    <More
      key={used}
      boxed
      title={
        <span className="flex items-center gap-2">
          <FlaskConical className="size-4 text-accent-ink" aria-hidden="true" />
          Samples of the development chain
        </span>
      }
    >
      <p>
        Checked by the same code as in production; only the coins are made up. A development wallet has their keys: it signs the proof that is
        made of the unsigned one.
      </p>
      <ul className="divide-y divide-line">
        {samples.data.map((sample) => (
          <li key={sample.id} className="flex flex-wrap items-center gap-x-4 gap-y-3 py-3 first:pt-0 last:pb-0">
            <div className="min-w-0 flex-1 basis-64">
              <p className="font-semibold text-ink">{sample.title}</p>
              <p className="text-sm text-muted">{sample.description}</p>
              <p className="mt-0.5 font-mono text-xs text-muted [overflow-wrap:anywhere]">{sample.file_name}</p>
            </div>
            <div className="flex gap-2">
              <Button
                look="secondary"
                disabled={disabled}
                aria-label={`Use This Sample: ${sample.title}`}
                onClick={() => {
                  setUsed(used + 1);
                  onUse(fileOf(sample));
                }}
              >
                Use This Sample
              </Button>
              <Button icon={Download} look="ghost" aria-label={`Download: ${sample.title}`} onClick={() => download(fileOf(sample))}>
                Download
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </More>
  );
}
