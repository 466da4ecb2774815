import { EXAMPLE_REQUEST } from '../../lib/example-request';
import { Markdown, sectionsOf } from '../../ui/markdown';
import { Page } from '../../ui/page';
import { DocumentLink } from '../../ui/text-link';
import text from './auditors.md';

const SECTIONS = sectionsOf(text);

/** The questions that an auditor asks, and an example to open. */
export function ForAuditors() {
  return (
    <Page title="For auditors" width="medium" intro="Proofs of reserves that you check yourself: what they show, what they don’t, and what you file.">
      <section className="rounded-card border border-line bg-surface p-5 text-sm shadow-card sm:p-6">
        <h2 className="text-lg font-semibold">An example to open</h2>
        <p className="mt-1.5 text-muted">
          <DocumentLink to="/verify#example">Open the example</DocumentLink>, paste this request there, and make the report. Its coins are on a test network, so no explorer knows them.
        </p>
        <p className="mt-3 rounded-lg bg-raised p-3 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{EXAMPLE_REQUEST}</p>
      </section>
      {SECTIONS.map(({ title, tokens }) => (
        <section key={title} className="mt-8">
          <h2 className="text-lg font-semibold">{title}</h2>
          <div className="mt-1.5 text-muted">
            <Markdown tokens={tokens} />
          </div>
        </section>
      ))}
    </Page>
  );
}
