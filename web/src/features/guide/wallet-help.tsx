import { useQuery } from '@tanstack/react-query';
import { siteOfPage } from '../../api/first-page';
import { appConfigQuery } from '../../api/queries';
import { ANOTHER, checkedWords, coreArguments, SIGNERS, signingSteps, UNABLE, type Signer } from '../../lib/signers';
import { More } from '../../ui/more';
import { StepList } from '../../ui/step-list';
import { useWallet } from '../../lib/use-wallet';

/** The steps for each wallet: save a file over the coins, then sign the proof made from it. The one chosen on this device comes first, open. */
export function WalletHelp() {
  const { id: chosen } = useWallet();
  const config = useQuery(appConfigQuery());
  const network = config.data?.network ?? siteOfPage()?.network ?? 'mainnet';
  const values = { network: coreArguments(network), file: 'proof-to-sign.psbt' };
  const entries = [
    ...[...ofKind('program'), ANOTHER, ...ofKind('device')].map((signer) => ({ id: signer.id, name: signer.name, help: <SignerHelp signer={signer} values={values} /> })),
    ...UNABLE.map(({ id, name, answer }) => ({ id, name, help: <p>{answer}</p> })),
  ];
  return (
    <div className="mt-4 divide-y divide-line rounded-xl border border-line px-4 text-sm">
      <p className="py-3">What to do in each wallet. “Above” and “below” mean on the Verify page.</p>
      {entries
        .toSorted((a, b) => Number(b.id === chosen) - Number(a.id === chosen))
        .map(({ id, name, help }) => (
          <More key={id} title={name} open={id === chosen}>
            {help}
          </More>
        ))}
      <More title="A wallet of several signers">
        <p>
          Each signer signs the file from the Verify page, or passes it on. Drop all parts on the Verify page: it combines
          them and lists missing signatures.
        </p>
      </More>
    </div>
  );
}

const ofKind = (wanted: Signer['kind']) => SIGNERS.filter(({ kind }) => kind === wanted);

function SignerHelp({ signer, values }: { signer: Signer; values: { network: string; file: string } }) {
  return (
    <>
      {signer.trouble && <p className="font-medium text-warning">{signer.trouble}</p>}
      <StepList
        steps={[...signer.coins, 'Drop that file on the Verify page, and download the proof.', ...signingSteps(signer)]}
        values={values}
      />
      {signer.checked && <p className="text-xs">{checkedWords(signer.checked)}</p>}
    </>
  );
}
