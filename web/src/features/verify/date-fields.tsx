import { useId, useState, type ReactNode } from 'react';
import { instantText, spokenInstant, zones, type InstantText, type LocalTime } from '../../lib/instant';
import { Select } from '../../ui/select';

const ZONES: [string, string][] = [['', 'Choose'], ...zones()];

interface DateFieldsProps {
  /** Whether to say what is wrong. */
  judged: boolean;
  onInstant: (instant: InstantText) => void;
}

/** A day, a time and a time zone. The zone is never guessed. */
export default function DateFields({ judged, onInstant }: DateFieldsProps) {
  const [local, setLocal] = useState<LocalTime>({ day: '', time: '24:00', zone: '' });
  const instant = instantText(local);
  const change = (more: Partial<LocalTime>) => {
    const next = { ...local, ...more };
    setLocal(next);
    onInstant(instantText(next));
  };
  const faultOf = (field: keyof LocalTime) => (judged && 'field' in instant && instant.field === field ? instant.fault : null);
  const fault = judged && 'field' in instant ? instant.fault : null;
  return (
    <fieldset className="min-w-0 space-y-2">
      <legend className="sr-only">The date</legend>
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Day" fault={faultOf('day')}>
          {(props) => <input type="date" value={local.day} onChange={({ target }) => change({ day: target.value })} {...props} />}
        </Field>
        <Field label="Time, 00:00 to 24:00" fault={faultOf('time')}>
          {(props) => <input value={local.time} inputMode="numeric" autoComplete="off" onChange={({ target }) => change({ time: target.value })} {...props} />}
        </Field>
        <div className="min-w-0 max-w-full [&_select]:w-full">
          <Select label="Time zone" value={local.zone} options={ZONES} onChange={(zone) => change({ zone })} />
        </div>
      </div>
      <p role={fault ? 'alert' : undefined} className={fault ? 'text-danger' : 'text-muted'}>
        {fault ?? ('text' in instant ? `${spokenInstant(instant.text)}. 24:00 is the end of the day.` : 'Which coins stood at this instant? 24:00 is the end of the day.')}
      </p>
    </fieldset>
  );
}

interface FieldProps {
  label: string;
  fault: string | null;
  children: (props: { id: string; className: string; 'aria-invalid': boolean }) => ReactNode;
}

function Field({ label, fault, children }: FieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({ id, 'aria-invalid': fault !== null, className: `mt-1 block h-10 w-40 rounded-lg border bg-surface px-3 text-ink ${fault === null ? 'border-line-strong' : 'border-danger'}` })}
    </div>
  );
}
