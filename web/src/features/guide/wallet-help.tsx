import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { siteOfPage } from '../../api/first-page';
import { appConfigQuery } from '../../api/queries';
import { ANOTHER, coreArguments, SIGNERS, signingSteps, UNABLE, type Signer } from '../../lib/signers';
import { StepList } from '../../ui/step-list';

/** The steps for each wallet: save a file over the coins, then sign the proof made from it. */
export function WalletHelp() {
  const config = useQuery(appConfigQuery());
  const network = config.data?.network ?? siteOfPage()?.network ?? 'mainnet';
  const values = { network: coreArguments(network), file: 'proof-to-sign.psbt' };
  const programs = SIGNERS.filter(({ kind }) => kind === 'program');
  const devices = SIGNERS.filter(({ kind }) => kind === 'device');
  return (
    <div className="mt-4 divide-y divide-line rounded-xl border border-line text-sm">
      <p className="px-4 py-3">What to do in each wallet. “Above” and “below” mean on the Verify page.</p>
      {[...programs, ANOTHER, ...devices].map((signer) => (
        <More key={signer.id} name={signer.name}>
          <SignerHelp signer={signer} values={values} />
        </More>
      ))}
      {UNABLE.map(({ id, name, answer }) => (
        <More key={id} name={name}>
          <p>{answer}</p>
        </More>
      ))}
      <More name="A wallet of several signers">
        <p>
          Each signer signs the file from the Verify page, or passes it on. Drop all parts on the Verify page: it combines
          them and lists missing signatures.
        </p>
      </More>
    </div>
  );
}

function SignerHelp({ signer, values }: { signer: Signer; values: { network: string; file: string } }) {
  return (
    <>
      {signer.trouble && <p className="font-medium text-warning">{signer.trouble}</p>}
      <StepList
        steps={[...signer.coins, 'Drop that file on the Verify page, and download the proof.', ...signingSteps(signer)]}
        values={values}
      />
      {signer.shows && <p>{signer.shows}</p>}
      <p className="text-xs">{signer.tried ?? 'From the source, not tried'}</p>
    </>
  );
}

function More({ name, children }: { name: string; children: ReactNode }) {
  return (
    <details className="group px-4">
      <summary className="py-3 font-semibold text-ink marker:text-accent-ink">{name}</summary>
      <div className="space-y-3 pb-4">{children}</div>
    </details>
  );
}
