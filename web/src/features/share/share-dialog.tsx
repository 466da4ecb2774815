import { useEffect, useId, useRef, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { boardSummaryQuery } from '../../api/board';
import type { Profile } from '../../api/types';
import { displayName, sharedName } from '../../lib/names';
import { Button } from '../../ui/button';
import { Command } from '../../ui/code';
import { copyTexts } from './copy-texts';
import { ShareCard, type ShareProfile } from './share-card';

type Shared = Pick<Profile, 'username' | 'provider' | 'named'> | ShareProfile;

/** What others can be given of somebody, each with its text to copy. Opens at once; the platform's dialog closes itself. */
export default function ShareDialog({ person }: { person: Shared }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const summary = useQuery(boardSummaryQuery()).data;
  const name = displayName(person);
  const texts = copyTexts(sharedName(person), name, window.location.origin);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={title}
      className="enter m-auto max-h-[calc(100dvh-2rem)] w-[min(40rem,calc(100vw-2rem))] overflow-y-auto rounded-card border border-line bg-surface p-5 text-left text-base font-normal whitespace-normal text-ink shadow-card backdrop:bg-[rgb(0_0_0/0.55)] sm:p-6"
    >
      <div className="flex items-start justify-between gap-4">
        <h2 id={title} className="min-w-0 text-lg font-semibold [overflow-wrap:anywhere]">
          Share <bdi>{name}</bdi>
        </h2>
        <Button look="ghost" size="icon" className="-mt-2 -mr-2" aria-label="Close" onClick={() => dialog.current?.close()}>
          <X className="size-5" aria-hidden="true" />
        </Button>
      </div>
      <div className="mt-2 space-y-4 text-sm">
        <Command text={texts.link} label="Copy the link" />
        {'rank' in person && <ShareCard profile={person as ShareProfile} holders={summary?.holders ?? null} block={summary?.block?.height ?? null} />}
        <details>
          <summary className="font-semibold">For your own site</summary>
          <div className="mt-3 space-y-4">
            <Part title="Badge">
              <img src={texts.badge} alt="" height={20} className="mt-1 h-5" />
              <Command text={texts.markdown} label="Copy the badge as Markdown" />
              <Command text={texts.image} label="Copy the badge as HTML" />
            </Part>
            <Part title="Row for another page">
              <Command text={texts.frame} label="Copy the row as HTML" />
            </Part>
            <Part title="The whole board">
              <Command text={texts.csv} label="Copy the address of the CSV" />
              <Command text={texts.json} label="Copy the address of the JSON" />
            </Part>
          </div>
        </details>
      </div>
    </dialog>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="font-semibold text-muted">{title}</h3>
      {children}
    </section>
  );
}
