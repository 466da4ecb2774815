import { displayName, sharedName } from '../../lib/names';
import { useSession } from '../session/context';
import { Command } from '../../ui/code';
import { Dialog } from '../../ui/dialog';
import { More } from '../../ui/more';
import { CardPicture } from './card-picture';
import { ShareActions } from './share-actions';
import type { Shared } from './share-links';

/** A holder's picture, and what can be done with it. */
export default function ShareDialog({ person, onClose }: { person: Shared & { id: string }; onClose: () => void }) {
  const { currentUser } = useSession();
  const name = displayName(person);
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
      <div className="mt-3 space-y-4 text-sm">
        {person.rank !== null && <CardPicture person={person} />}
        <ShareActions person={person} isOwn={currentUser?.id === person.id} />
        <More title="For your own site">
          <Command text={frameOf(sharedName(person), name, window.location.origin)} label="Copy the row as HTML" />
        </More>
      </div>
    </Dialog>
  );
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const attribute = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '');

/** The row for another page, as HTML. `handle` is the name in addresses, `name` the shown one. */
export function frameOf(handle: string, name: string, origin: string): string {
  const address = `${origin}/embed?${new URLSearchParams({ u: handle })}`;
  return `<iframe src="${attribute(address)}" title="${attribute(`Proof of Reserves of ${name}`)}" width="380" height="120" loading="lazy"></iframe>`;
}
