import { useId } from 'react';

interface SelectProps {
  label: string;
  value: string | number;
  /** The words of each value. */
  options: [value: string | number, words: string][];
  onChange: (value: string) => void;
}

/** A choice from a list, with its label above it. */
export function Select({ label, value, options, onChange }: SelectProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="mt-1 block h-10 rounded-lg border border-line-strong bg-surface px-3 text-ink"
      >
        {options.map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
