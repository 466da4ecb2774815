import type { Token } from 'marked';
import { useQuery } from '@tanstack/react-query';
import { Page } from '../../ui/page';
import { siteOfPage } from '../../api/first-page';
import { appConfigQuery } from '../../api/queries';
import { Markdown } from '../../ui/markdown';

/** A legal page. The server's settings say who runs the site, and since when the text is in force. */
export function LegalDocument({ title, text }: { title: string; text: Token[] }) {
  const config = useQuery(appConfigQuery());
  const legal = config.data?.legal ?? siteOfPage()?.legal;
  return (
    <Page title={title} width="medium" intro={`Last updated: ${legal?.updated ?? '…'}`}>
      <div className="space-y-3 text-muted">
        <Markdown tokens={text} values={{ ...legal }} />
      </div>
    </Page>
  );
}
