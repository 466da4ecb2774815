import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Plus, Upload } from 'lucide-react';
import { SourceError } from '../../api/elsewhere';
import { isReceipt } from '../../lib/board-log/receipt';
import { cx } from '../../lib/cx';
import { messageOf } from '../../lib/errors';
import { STATIC } from '../../lib/site';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Command } from '../../ui/code';
import { DropZone, type Taken } from '../../ui/drop-zone';
import { More } from '../../ui/more';
import { MOST_BYTES_TOGETHER, MOST_FILES, type Unread } from './joint';
import { isForReader } from './proof';
import { ProofView } from './proof-view';
import { PublishedList } from './published-list';
import { ReaderView } from './reader-view';
import { ReceiptView } from './receipt-view';
import { ResultPage } from './result-page';
import { SignedMessage } from './signed-message';
import { type BroughtProof, useProof, useProofFiles } from './use-proof';
import { useReady } from './use-ready';
import { auditCommand } from './judge';

const PROOFS: Taken = { label: 'Choose or drop a proof or a receipt', accept: '.json,.tlog-proof', texts: false };

/** Enough to tell a receipt. */
const START_BYTES = 64;

/** How chosen files are taken: in place of what is there, or added to it. */
type Taking = 'instead' | 'also';

/** What the visitor has brought. */
interface Brought {
  files: File[];
  receipt: boolean;
  /** Why the last files were not taken. */
  refusal: string | null;
}

const NOTHING: Brought = { files: [], receipt: false, refusal: null };

/** Check a proof: that of the document's address, those of a person, or files. */
export function VerifyPage({ address: { pathname, search, origin, hash } }: { address: Pick<Location, 'pathname' | 'search' | 'origin' | 'hash'> }) {
  const id = STATIC ? undefined : /^\/verify\/([^/]+)\/?$/.exec(pathname)?.[1];
  const profile = STATIC ? null : new URLSearchParams(search).get('profile');
  const [{ files, receipt, refusal }, setBrought] = useState(NOTHING);
  const isExample = hash === '#example';
  useEffect(() => {
    if (!isExample) return;
    const show = ({ default: text }: { default: string }) => setBrought({ ...NOTHING, files: [new File([text], 'example.proof.json', { type: 'application/json' })] });
    void import('./example.json?raw').then(show, () => setBrought({ ...NOTHING, refusal: 'The example couldn’t be loaded. Reload the page.' }));
  }, [isExample]);
  const ready = useReady();
  const field = useRef<HTMLInputElement>(null);
  /** What a button has chosen; without one it goes by what is there. */
  const [taking, setTaking] = useState<Taking | null>(null);
  const take = (more: File[], usual: Taking) => {
    const also = (taking ?? usual) === 'also';
    setTaking(null);
    // The bytes decide, not the name.
    const show = (start: string) =>
      setBrought((before) => {
        const next = also && !before.receipt ? [...before.files, ...more] : more;
        const refused = tooMany(next);
        return refused ? { ...before, refusal: refused } : { files: next, receipt: more.length === 1 && !also && isReceipt(start), refusal: null };
      });
    more[0]?.slice(0, START_BYTES).text().then(show, () => show(''));
  };
  const choose = (how: Taking) => {
    setTaking(how);
    field.current?.click();
  };
  const remove = (file: File) => setBrought((before) => ({ ...before, files: before.files.filter((one) => one !== file), refusal: null }));
  // Once a file was checked, the button opens its field.
  const zoneFor = (usual: Taking) => (
    <DropZone
      field={field}
      takes={PROOFS}
      title={PROOFS.label}
      hint={
        <>
          A .json file, published or made for you, or a .tlog‑proof. It stays in your browser; a board gets only its id.{' '}
          {/* It has its place before, so that nothing moves. */}
          <span className={cx(!ready && 'invisible')}>Works offline.</span>
        </>
      }
      onFiles={(more) => take(more, usual)}
    />
  );
  const refused = refusal && <Notice tone="warning" role="alert" text={refusal} />;
  const footFor = (reader: boolean) => (
    <>
      {refused}
      <More title={LIMITS} boxed>
        <Limits />
      </More>
      <div className="flex flex-wrap gap-3 pt-2">
        {reader && (
          <Button icon={Plus} look="secondary" onClick={() => choose('also')}>
            Add files for the same request
          </Button>
        )}
        <Button icon={Upload} look="secondary" onClick={() => choose('instead')}>
          Check another file
        </Button>
        <div className="hidden">{zoneFor(reader ? 'also' : 'instead')}</div>
      </div>
    </>
  );
  const [first] = files;
  if (first && receipt) {
    return (
      <ResultPage foot={footFor(false)}>
        <ReceiptView file={first} />
      </ResultPage>
    );
  }
  if (first) return <CheckedFiles files={files} origin={origin} onRemove={remove} footFor={footFor} />;
  if (id) return <Checked id={id} origin={origin} foot={footFor(false)} />;
  return (
    <Page title="Check a proof" width="medium" intro="Check someone’s proof in your own browser, without trusting us.">
      <div className="space-y-6">
        {profile && <PublishedList profile={profile} />}
        {refused}
        {zoneFor('instead')}
        <SignedMessage />
        <LimitsCard origin={origin} />
      </div>
    </Page>
  );
}

/** Why so many files are not taken; null when they are. */
function tooMany(files: File[]): string | null {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return files.length > MOST_FILES || bytes > MOST_BYTES_TOGETHER ? `At most ${MOST_FILES} files with 64 MiB in all can be checked together.` : null;
}

function Checked({ id, origin, foot }: { id: string; origin: string; foot: ReactNode }) {
  const { data: read, error } = useProof(id, origin);
  if (read && !error) return <ProofView {...read} origin={origin} foot={foot} />;
  return <Unfinished error={error} foot={foot} />;
}

interface CheckedFilesProps {
  files: File[];
  origin: string;
  onRemove: (file: File) => void;
  footFor: (reader: boolean) => ReactNode;
}

function CheckedFiles({ files, origin, onRemove, footFor }: CheckedFilesProps) {
  const results = useProofFiles(files, origin);
  const [only] = results;
  if (files.length === 1 && only?.error) return <Unfinished error={only.error} foot={footFor(false)} />;
  if (files.length === 1 && only?.data && !isForReader(only.data.proof)) return <ProofView {...only.data} origin={origin} foot={footFor(false)} />;
  const proofs: BroughtProof[] = [];
  const unread: Unread[] = [];
  for (const [at, file] of files.entries()) {
    const { data: read, error } = results[at] ?? {};
    if (read && isForReader(read.proof)) proofs.push({ ...read, file });
    else if (read) unread.push({ file, why: 'It is a published proof. Check it on its own.' });
    else if (error) unread.push({ file, why: messageOf(error, UNKNOWN) });
  }
  const pending = results.some(({ isPending }) => isPending);
  // What the reader has typed stays while more files are read.
  if (proofs.length > 0) return <ReaderView proofs={proofs} unread={unread} pending={pending} origin={origin} onRemove={onRemove} foot={footFor(true)} />;
  if (pending) return <Unfinished error={null} foot={footFor(false)} />;
  return (
    <ResultPage foot={footFor(false)}>
      <Notice tone="danger" role="alert" title="None of these files is a private proof" text="Only private proofs for the same request are checked together. Check the others one by one." />
    </ResultPage>
  );
}

function Unfinished({ error, foot }: { error: Error | null; foot: ReactNode }) {
  const missing = error instanceof SourceError && error.trouble === 'not-found';
  return (
    // Hidden while it waits, so that nothing moves; a dropped file is taken.
    <ResultPage foot={error ? foot : <div className="hidden">{foot}</div>}>
      {error ? (
        <Notice tone="danger" role="alert" title={missing ? 'No such proof' : 'It could not be checked'} text={missing ? MISSING : messageOf(error, UNKNOWN)} />
      ) : (
        <p role="status" className="min-h-svh text-muted">
          Checking the proof...
        </p>
      )}
    </ResultPage>
  );
}

const UNKNOWN = 'Something went wrong while it was checked. Please reload the page, or try another browser.';

const MISSING = 'There is no such proof on this board. It was unpublished or has expired. Ask its holder for a new link or for the file.';

const LIMITS = 'What no proof shows';

/** The limits of every proof, as a list. */
function Limits() {
  return (
    <ul className="list-disc space-y-1 pl-5 text-sm">
      <li>That one person controls these keys and hasn’t shared or lent them.</li>
      <li>That they have no debts: coins may be borrowed or pledged.</li>
      <li>That they will hold them tomorrow. A spent coin is noticed at once; a sold key is not.</li>
    </ul>
  );
}

/** The limits of every proof, and how to check a whole board. */
function LimitsCard({ origin }: { origin: string }) {
  return (
    <Card title={LIMITS}>
      <Limits />
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
