import type { ReactNode, Ref } from 'react';
import { ChevronDown, Search, SlidersHorizontal } from 'lucide-react';
import { Checkbox, Dropdown } from '../../ui/dropdown';
import { MAX_SEARCH, type useBoardSearch } from './use-board-search';

interface ToolbarProps {
  box: Ref<HTMLInputElement>;
  search: ReturnType<typeof useBoardSearch>;
  /** The rest of the bar. */
  children: ReactNode;
}

/** Search box and filters. */
export function Toolbar({ box, search, children }: ToolbarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <div role="search" className="flex min-w-0 flex-1 gap-2 lg:max-w-112">
        <label className="relative min-w-0 flex-1">
          <span className="sr-only">Search by username</span>
          <Search aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
          <input
            key={search.key}
            ref={box}
            type="search"
            value={search.typed}
            maxLength={MAX_SEARCH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="Search by username..."
            onChange={(event) => search.type(event.target.value)}
            onBlur={search.endTyping}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              search.enter();
              search.endTyping();
            }}
            className="h-11 w-full rounded-lg border border-line-strong/60 bg-surface pr-3 pl-9 text-base text-ellipsis placeholder:text-sm placeholder:text-muted sm:text-sm"
          />
        </label>
        <Dropdown
          name="Filters"
          label={
            <>
              <SlidersHorizontal className="size-4" aria-hidden="true" />
              <span className="max-sm:sr-only">Filters</span>
              {search.verified && (
                <span className="num grid size-5 place-items-center rounded-full bg-accent text-xs text-on-accent">
                  <span aria-hidden="true">1</span>
                  <span className="sr-only">(1 active)</span>
                </span>
              )}
              <ChevronDown className="hidden size-4 text-muted sm:block" aria-hidden="true" />
            </>
          }
        >
          <Checkbox checked={search.verified} onChange={search.setVerified}>
            Verified users only
          </Checkbox>
        </Dropdown>
      </div>
      {search.problem && (
        <p role="alert" className="basis-full text-sm font-medium text-danger">
          {search.problem}
        </p>
      )}
      {children}
    </div>
  );
}
