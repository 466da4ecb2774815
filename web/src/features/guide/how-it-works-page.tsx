import { ButtonLink } from '../../ui/button';
import { Markdown, sectionsOf } from '../../ui/markdown';
import { Page } from '../../ui/page';
import { TextLink } from '../../ui/text-link';
import { WhySafe } from '../../ui/why-safe';
import { ForAuditors } from './for-auditors';
import text from './how-it-works.md';
import browser from './pictures/browser.svg?raw';
import checks from './pictures/checks.svg?raw';
import file from './pictures/file.svg?raw';
import name from './pictures/name.svg?raw';
import rank from './pictures/rank.svg?raw';

const SECTIONS = sectionsOf(text);
/** A drawing for each of the steps, which come first. The text next to it says the same. */
const PICTURES = [name, file, browser, checks, rank];
const DRAWN = 'shrink-0 sm:w-44 [&>svg]:w-full [&>svg]:max-w-56 [&>svg]:rounded-xl [&>svg]:bg-raised';
/** The step that makes the file. */
const MAKING = PICTURES.indexOf(file);
/** The places that links lead to, by the titles there. */
const PLACES: Record<string, string> = { 'What anyone can check': 'log', 'Data and embeds': 'data' };

/** The guide: its first page, and the one for auditors. */
export default function GuidePage({ topic }: { topic?: 'auditors' }) {
  return topic === 'auditors' ? <ForAuditors /> : <HowItWorks />;
}

/** The five steps from signing in to a rank. */
function HowItWorks() {
  return (
    <Page
      title="How It Works"
      width="medium"
      intro="Five steps from your wallet to the leaderboard. Your coins never move and your keys never leave your wallet."
    >
      <ol className="space-y-4">
        {PICTURES.map((picture, at) => (
          <li key={SECTIONS[at]?.title} className="flex gap-4 rounded-card border border-line bg-surface p-5 shadow-card sm:gap-5 sm:p-6">
            <span aria-hidden="true" className="num grid size-9 shrink-0 place-items-center rounded-full bg-accent font-bold text-on-accent">
              {at + 1}
            </span>
            <div className="min-w-0 flex-1">
              <div className="flex flex-col-reverse gap-4 sm:flex-row">
                <div className="min-w-0 flex-1">
                  <h2 className="mt-1 text-lg font-semibold">{SECTIONS[at]?.title}</h2>
                  <div className="mt-1.5 text-muted">
                    <Markdown tokens={SECTIONS[at]?.tokens ?? []} />
                    {at === MAKING && (
                      <ul className="mt-3 list-disc space-y-1 pl-5 text-ink">
                        <WhySafe />
                      </ul>
                    )}
                  </div>
                </div>
                <div className={DRAWN} dangerouslySetInnerHTML={{ __html: picture }} />
              </div>
              {at === MAKING && (
                <p className="mt-3 text-sm">
                  <TextLink to="/upload">Choose your wallet</TextLink>: its own steps are on the Verify page.
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
      {SECTIONS.slice(PICTURES.length).map(({ title, tokens }) => (
        <section key={title} id={PLACES[title]} className="mt-8">
          <h2 className="text-lg font-semibold">{title}</h2>
          <div className="mt-1.5 text-muted">
            <Markdown tokens={tokens} />
          </div>
        </section>
      ))}
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink to="/upload">Verify your bitcoin</ButtonLink>
        <ButtonLink to="/leaderboard" look="secondary">
          See the Leaderboard
        </ButtonLink>
        <ButtonLink to="/inspect" look="ghost">
          Inspect a PSBT
        </ButtonLink>
      </div>
    </Page>
  );
}
