import type { ReactNode, Ref } from 'react';
import { Search, SlidersHorizontal } from 'lucide-react';
import { Checkbox, Dropdown } from '../../ui/dropdown';
import { MAX_SEARCH } from './search';

interface ToolbarProps {
  box: Ref<HTMLInputElement>;
  typed: string;
  onType: (text: string) => void;
  /** The text is complete. */
  onTyped: () => void;
  onEnter: () => void;
  /** What is wrong with the typed text. */
  problem: string | null;
  verifiedOnly: boolean;
  onVerifiedOnly: (only: boolean) => void;
  /** The rest of the bar. */
  children: ReactNode;
}

/** Search box and filters. */
export function Toolbar({ box, typed, onType, onTyped, onEnter, problem, verifiedOnly, onVerifiedOnly, children }: ToolbarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <div role="search" className="flex min-w-0 flex-1 gap-2 lg:max-w-112">
        <label className="relative min-w-0 flex-1">
          <span className="sr-only">Search by username</span>
          <Search aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
          <input
            ref={box}
            type="search"
            value={typed}
            maxLength={MAX_SEARCH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="Search by username..."
            onChange={(event) => onType(event.target.value)}
            onBlur={onTyped}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              onEnter();
              onTyped();
            }}
            className="h-11 w-full rounded-lg border border-line-strong/60 bg-surface pr-3 pl-9 text-base placeholder:text-muted sm:text-sm"
          />
        </label>
        <Dropdown
          label={
            <>
              <SlidersHorizontal className="size-4" aria-hidden="true" />
              <span className="max-sm:sr-only">Filters</span>
              {verifiedOnly && (
                <span className="num grid size-5 place-items-center rounded-full bg-accent text-xs text-on-accent">
                  <span aria-hidden="true">1</span>
                  <span className="sr-only">(1 active)</span>
                </span>
              )}
            </>
          }
        >
          <Checkbox checked={verifiedOnly} onChange={onVerifiedOnly}>
            Verified users only
          </Checkbox>
        </Dropdown>
      </div>
      {problem && (
        <p role="alert" className="basis-full text-sm font-medium text-danger">
          {problem}
        </p>
      )}
      {children}
    </div>
  );
}
