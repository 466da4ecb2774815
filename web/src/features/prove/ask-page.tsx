import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { pageAddress } from '../../lib/site';
import { normalizeWords } from '../../psbt';
import { Button } from '../../ui/button';
import { Copied } from '../../ui/copied';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { TextField } from '../../ui/text-field';
import { messageOf } from '../../lib/errors';
import { DocumentLink } from '../../ui/text-link';
import { Mixed } from '../verify/mixed';
import { linkTo, randomPart } from './link';
import { submitted } from '../../lib/submitted';

/** For the reader: a request that nobody else has, and a link that carries it. */
export function AskPage({ address }: { address: Pick<Location, 'origin' | 'pathname'> }) {
  const [about, setAbout] = useState('');
  const { data: made, error, mutate: make } = useMutation({ mutationFn: () => normalizeWords(`${about} ${randomPart()}`) });
  return (
    <Page title="Ask for a proof" width="medium" intro="A holder shows you bitcoin with a file made only for you. You make the request, so a proof made for another reader can’t be passed on to you.">
      <form onSubmit={submitted(() => make())} className="space-y-4">
        <TextField label="Who are you, and what is it about?" value={about} onText={setAbout} rows={1} fault={error && messageOf(error, 'The request couldn’t be made. Reload the page, or try another browser.')} hint="For example: Acme Bank, loan 4711. A random part is added, so each request is new." />
        <Button type="submit" size="large" look={made ? 'secondary' : 'primary'} disabled={about.trim() === ''}>
          {made ? 'Make a new request' : 'Make the request'}
        </Button>
      </form>
      {made && <Made words={made.text} mixed={made.mixed} link={linkTo(address, made.text)} />}
      <p className="mt-8 text-sm text-muted">
        Already have a file?{' '}
        <DocumentLink to={pageAddress('/verify')}>Check a proof</DocumentLink>
      </p>
    </Page>
  );
}

function Made({ words, mixed, link }: { words: string; mixed: string[]; link: string }) {
  return (
    <section className="enter mt-8 space-y-5" aria-label="Your request">
      <div>
        <Copied title="Your request" text={words} label="Copy the request" />
        <p className="mt-1 text-sm text-muted">Keep it. You need it to check the proof, and only this text shows that it was made for you.</p>
      </div>
      <div>
        <Copied title="A link for the holder" text={link} label="Copy the link" />
        <p className="mt-1 text-sm text-muted">Send it yourself. The request comes after the # sign, which no server sees.</p>
      </div>
      <Mixed words={mixed} before="Your request mixes" after="The holder will be warned." />
      <Notice title="When the file comes" text="Open it at a checker that you choose yourself, paste your request, and check the coins. The report on paper proves nothing." />
    </section>
  );
}
