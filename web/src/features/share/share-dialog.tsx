import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { boardSummaryQuery } from '../../api/board';
import type { Profile } from '../../api/types';
import { displayName, sharedName } from '../../lib/names';
import { Command } from '../../ui/code';
import { Dialog } from '../../ui/dialog';
import { More } from '../../ui/more';
import { ShareCard, type ShareProfile } from './share-card';

type Shared = Pick<Profile, 'username' | 'provider' | 'named'> | ShareProfile;

/** A holder's link with a preview of the card, and code for other sites. */
export default function ShareDialog({ person, onClose }: { person: Shared; onClose: () => void }) {
  const summary = useQuery(boardSummaryQuery()).data;
  const name = displayName(person);
  const texts = copyTexts(sharedName(person), name, window.location.origin);
  return (
    <Dialog
      title={
        <>
          Share <bdi>{name}</bdi>
        </>
      }
      className="w-[min(40rem,calc(100vw-2rem))]"
      onClose={onClose}
    >
      <div className="mt-2 space-y-4 text-sm">
        <p>
          <Command text={texts.link} label="Copy the link" />
        </p>
        {'rank' in person && <ShareCard profile={person} holders={summary?.holders ?? null} block={summary?.block?.height ?? null} />}
        <More title="For your own site">
          <div className="space-y-4">
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
        </More>
      </div>
    </Dialog>
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

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const attribute = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '');
/** Escapes Markdown. */
const plain = (text: string) => text.replaceAll(/[\\[\]*_`<>]/g, String.raw`\$&`);

/** Texts to copy into another page. `handle` is the name in addresses, `name` the shown one. */
export function copyTexts(handle: string, name: string, origin: string) {
  const query = new URLSearchParams({ u: handle }).toString();
  const link = `${origin}/leaderboard?${query}`;
  const badge = `${origin}/badge/${encodeURIComponent(handle)}.svg`;
  const title = `Proof of Reserves of ${name}`;
  return {
    link,
    badge,
    markdown: `[![${plain(title)}](${badge})](${link})`,
    image: `<a href="${attribute(link)}"><img src="${attribute(badge)}" alt="${attribute(title)}" height="20"></a>`,
    frame: `<iframe src="${attribute(`${origin}/embed?${query}`)}" title="${attribute(title)}" width="380" height="120" loading="lazy"></iframe>`,
    csv: `${origin}/api/functions/v1/board.csv`,
    json: `${origin}/api/functions/v1/board.json`,
  };
}
