import { useQuery } from '@tanstack/react-query';
import { profileQuery } from '../../api/queries';
import type { ProofChallenge } from '../../api/types';
import { expiryOf, PROOF_DAYS } from '../../lib/expiry';
import { formatDate, formatFileSize, formatSats } from '../../lib/format';
import { displayName } from '../../lib/names';
import { FactLine } from '../../ui/fact';
import { TextLink } from '../../ui/text-link';
import { useSession } from '../session/context';
import { More } from '../../ui/more';
import { Statement } from './statement-card';
import type { Wallet } from '../../lib/use-wallet';
import type { ProofFileState } from './use-proof-file';

const PLACES: Record<string, string> = { twitter: ' on X', github: ' on GitHub', google: ' by Google' };

interface KnownProps {
  wallet: Wallet;
  file: ProofFileState;
  challenge: ProofChallenge | null;
  latest: string | null;
  /** Whether the file has this account's statement. */
  matches: boolean;
}

/** What is known so far and the statement to compare, shown next to the step. */
export function Known({ wallet, file, challenge, latest, matches }: KnownProps) {
  const { currentUser } = useSession();
  const profile = useQuery({ ...profileQuery(currentUser?.id ?? ''), enabled: currentUser !== null }).data;
  const report = file.step === 'ready' ? file.contents.report : null;
  const due = latest && expiryOf(latest);
  return (
    <aside aria-label="Known so far" className="h-fit lg:-mt-5 divide-y divide-line rounded-card border border-line bg-surface text-sm shadow-card">
      <section className="p-5">
        <h2 className="mb-2 font-semibold">Known so far</h2>
        <dl className="space-y-2">
          <FactLine label="You">{profile ? `${displayName(profile)}${profile.named ? (PLACES[profile.provider] ?? '') : ''}` : currentUser?.username}</FactLine>
          <FactLine label="Wallet">{wallet.unable?.name ?? wallet.signer?.name ?? <Missing>not chosen</Missing>}</FactLine>
          <FactLine label="Coins">{report ? report.inputs.length : <Missing>none yet</Missing>}</FactLine>
          <FactLine label="Total">{report?.totalInputSats != null ? `${formatSats(report.totalInputSats)} BTC` : <Missing>0 BTC</Missing>}</FactLine>
          <FactLine label="File">
            {file.step === 'none' ? <Missing>No file selected.</Missing> : `${file.file.name} (${formatFileSize(file.file.size)})`}
          </FactLine>
          {due && (
            <FactLine label="Next proof due">
              <time dateTime={due.toISOString()}>{formatDate(due)}</time>
            </FactLine>
          )}
        </dl>
        {due && <p className="mt-2 text-xs text-muted">{PROOF_DAYS} days after your latest proof. You can add another wallet at any time.</p>}
      </section>
      {challenge && <Statement challenge={challenge} matches={matches} />}
      <section className="divide-y divide-line px-5">
        <More title="What is a PSBT file?">
          <p>
            A Partially Signed Bitcoin Transaction (BIP-174) is the file that wallets pass around for signing. Signing one proves that you control its
            coins, even if no block can ever take it.
          </p>
          <p>
            <TextLink to="/how-it-works">How to make one, step by step</TextLink> · <TextLink to="/inspect">See what is in any PSBT</TextLink>
          </p>
        </More>
        <More title="Coins on an exchange?">
          <p>Only coins whose keys you hold can be proven. Withdraw to a wallet of your own, then prove those coins.</p>
        </More>
      </section>
    </aside>
  );
}

const Missing = ({ children }: { children: string }) => <span className="font-normal text-muted">{children}</span>;
