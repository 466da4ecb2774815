import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useLocation } from 'wouter';
import { appConfigQuery } from '../../api/queries';
import type { AppConfig } from '../../api/types';
import { fromBase64 } from '../../lib/bytes';
import { download } from '../../lib/download';
import { formatFileSize, plural } from '../../lib/format';
import { keepFile } from '../../lib/kept-file';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { CopyButton } from '../../ui/copy-button';
import { Failure } from '../../ui/failure';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { PageLoading } from '../../ui/spinner';
import { DocumentLink, TextButton } from '../../ui/text-link';
import { ApartNotice, BringFile } from './bring-file';
import { FileReport } from './file-report';
import { otherNetwork } from './networks';
import { PrivateParts } from './private-parts';
import { useProofFile, type ReadyFile } from './use-proof-file';
import README from '../../../../psbt-wasm/pkg/README.md?url';
import { useSignatures } from './use-signatures';

/** For everybody: what is in a PSBT, whether its signatures are right, its parts put together, and what is private taken out. */
export default function InspectPage() {
  const config = useQuery(appConfigQuery());
  if (config.isPending) return <PageLoading />;
  return (
    <Page title="Inspect a PSBT" width="medium" intro="See what is in a file before you sign it or pass it on. Nothing leaves this page.">
      {config.data ? (
        <>
          <Inspector config={config.data} />
          <p className="mt-8 text-sm text-muted">
            Files are read by the package psbt-wasm, which other sites and programs may use as well:{' '}
            <DocumentLink to={README}>its README</DocumentLink>{' '}
            says how.
          </p>
        </>
      ) : (
        <Failure error={config.error} title="Error" fallback="The network of this site could not be read." onRetry={() => void config.refetch()} />
      )}
    </Page>
  );
}

function Inspector({ config }: { config: AppConfig }) {
  const bringing = useProofFile(config);
  const { file } = bringing;
  return (
    <div className="space-y-6">
      <BringFile
        title="Drop a PSBT here"
        hint={file.step === 'ready' ? 'Another signer’s part of it joins it; any other file replaces it.' : '.psbt, signed or not, or a completed transaction as .txn'}
        {...bringing}
      />
      {file.step === 'ready' && <Inspection ready={file} network={config.network} />}
    </div>
  );
}

function Inspection({ ready, network }: { ready: ReadyFile; network: string }) {
  const { file, contents, parts } = ready;
  const { report } = contents;
  const { message } = report;
  const signatures = useSignatures(file);
  return (
    <>
      <Card title="What this file contains" className="enter">
        <FileReport report={report} signatures={signatures} as="file" local>
          <ApartNotice apart={ready.apart} />
          {parts > 1 && <Notice tone="positive" role="status" text={`${plural(parts, 'file')} of different signers are put together here.`} />}
          {otherNetwork(report, network) && <Notice tone="warning" role="status" text={`The keys in this file are for ${network === 'mainnet' ? 'a test network' : 'mainnet'}. Its addresses are written here as on ${network}.`} />}
          {message !== null && (
            <p className="text-sm">
              It is a proof of funds (BIP-322) over the message <q className="font-mono [overflow-wrap:anywhere]">{message}</q>.
            </p>
          )}
        </FileReport>
      </Card>
      <Takeaways ready={ready} />
    </>
  );
}

/** The file as it is, and without private data. */
function Takeaways({ ready: { file, contents, parts } }: { ready: ReadyFile }) {
  const [, navigate] = useLocation();
  const stem = file.name.replace(/\.(psbt|txn)$/i, '');
  const stripped = () => new File([fromBase64(contents.psbtBase64)], `${stem}-stripped.psbt`);
  const prove = async () => {
    keepFile(file.name, new Uint8Array(await file.arrayBuffer()));
    navigate('/upload');
  };
  return (
    <Card title="Export">
      <div className="space-y-4 text-sm">
        <PrivateParts fields={contents.report.privateFields} lead="Private, and left out of the export:" />
        <div className="flex flex-wrap gap-3">
          {parts > 1 && (
            <Button icon={Download} onClick={() => download(new File([file], `${stem}-combined.psbt`))}>
              Download the combined file
            </Button>
          )}
          <Button icon={Download} look="secondary" className="max-w-full shrink" onClick={() => download(stripped())}>
            Download without private data ({formatFileSize(contents.strippedBytes)})
          </Button>
          <CopyButton text={contents.psbtBase64} label="Copy without private data" />
        </div>
        <p>
          <TextButton onClick={() => void prove()}>Verify these coins</TextButton>
        </p>
      </div>
    </Card>
  );
}
