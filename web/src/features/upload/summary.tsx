import { useId, type ReactNode } from 'react';
import { CircleCheck, CircleDashed, CircleAlert } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { bitcoinPriceQuery } from '../../api/queries';
import type { Profile, ProofChallenge } from '../../api/types';
import { cx } from '../../lib/cx';
import { amountParts, formatFileSize, formatUsd, plural } from '../../lib/format';
import { amountWords } from '../../lib/shown';
import type { ProofContents } from '../../psbt';
import { Button } from '../../ui/button';
import { Line } from '../../ui/copied';
import { Spinner } from '../../ui/spinner';
import { FailureLine } from '../../ui/failure';
import { Notice } from '../../ui/notice';
import { TextButton } from '../../ui/text-link';
import { useShownAs } from '../shown/use-shown-as';
import type { Binding } from './binding';
import { BindingNotice } from './binding-notice';
import { InputList, OutputList } from './coin-list';
import { More } from '../../ui/more';
import { PrivateParts } from './private-parts';
import { SignatureNotice, Warnings } from './signatures';
import { Totals, warningsOf, ZeroValueWarning } from './totals';
import type { Signatures } from './use-signatures';

/** A point and three digits. */
const SHORT = 4;

interface SummaryProps {
  contents: ProofContents;
  signatures: Signatures;
  binding: Binding | null;
  challenge: ProofChallenge;
  /** A limit of the server that the file would run into. */
  limit: string | null;
  profile: Profile | null;
  isSending: boolean;
  /** Why the file cannot be sent now; null when it can. */
  refusal: string | null;
  /** Whether sending it can help; not when the server has refused this very file. */
  again: boolean;
  onSend: () => void;
}

/** The last step: what is about to be proven, in one card with one button; the rest is folded. */
export function Summary({ contents, signatures, binding, challenge, limit, profile, isSending, refusal, again, onSend }: SummaryProps) {
  const { report, strippedBytes } = contents;
  const { check } = signatures;
  const price = useQuery(bitcoinPriceQuery()).data ?? null;
  const id = useId();
  const sats = report.totalInputSats;
  const btc = sats === null ? null : Number(sats) / 1e8;
  const [whole, fraction, zeros] = amountParts(btc ?? 0);
  const waiting = refusal !== null && !isSending;
  const signed = check?.complete && binding?.state === 'bound';
  return (
    <section aria-label="Your proof" className="enter space-y-4 rounded-card border border-line bg-surface p-5 shadow-card sm:p-8">
      {/* Next to each other where there is room, so that the button is in sight. */}
      <div className="flex flex-wrap items-center gap-x-8 gap-y-3">
        <div>
          <p className="num flex items-baseline text-[2.625rem] leading-none font-extrabold tracking-tight">
            {btc === null ? 'Unknown' : whole}
            {btc !== null && (
              <>
                {/* A long fraction is smaller, to stay in its place. */}
                <span className={cx(fraction.length > SHORT && 'text-[0.62em] font-semibold')}>{fraction}</span>
                <span className="text-[0.62em] font-semibold text-muted">{zeros}</span>
              </>
            )}
            <span className="ml-2 text-[0.5em] font-bold">BTC</span>
          </p>
          <p className="num mt-1.5 text-sm text-muted">
            in {plural(report.inputs.length, 'coin')}
            {btc !== null && price && ` · ${formatUsd(Math.round(btc * price.usd))}`}
          </p>
        </div>
        <ul className="flex-1 basis-72 divide-y divide-line border-y border-line text-sm">
          <Tick state={signed ? 'yes' : check === undefined ? 'waits' : 'open'} aside={check ? `${check.inputs.filter(({ status }) => status === 'valid').length} of ${report.inputs.length}` : ''}>
            {signed ? 'Signatures valid, made for you' : check === undefined ? 'Checking the signatures…' : 'Signatures: the server checks them'}
          </Tick>
          {binding?.state === 'bound' && (
            <Tick state="yes" aside="no fee, same addresses">
              Moves nothing
            </Tick>
          )}
        </ul>
      </div>
      {!signed && <SignatureNotice report={report} signatures={signatures} />}
      <ZeroValueWarning report={report} />
      <Warnings warnings={warningsOf(report, true)} />
      {binding && binding.state !== 'bound' && <BindingNotice binding={binding} challenge={challenge} inputs={report.inputs} />}
      {limit && <Notice tone="danger" role="alert" title="Too large to send" text={limit} />}
      {profile && !profile.verified && btc !== null && <ShownLine profile={profile} btc={btc} />}
      <div data-foot="" className="max-sm:fixed max-sm:m-0! max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-20 max-sm:border-t max-sm:border-line max-sm:bg-surface max-sm:p-4 print:hidden">
        <Button size="large" look={again || isSending ? 'primary' : 'secondary'} className="w-full" disabled={isSending || waiting} aria-describedby={id} onClick={onSend}>
          {isSending && <Spinner className="text-on-accent" />}
          {isSending ? 'Verifying...' : btc === null ? 'Verify these coins' : `Verify ${Number(btc.toFixed(8))} BTC`}
        </Button>
        <p id={id} role="status" className="mt-2 text-center text-[0.8125rem] text-muted">
          {refusal ?? (
            <>
              We check that the coins are unspent. <span className="max-sm:hidden">Then you are on the board.</span>
            </>
          )}
        </p>
      </div>
      <div className="-mb-3 divide-y divide-line">
        <More title={plural(report.inputs.length, 'coin')} aside={report.outputs.length > 1 ? plural(report.outputs.length, 'output') : ''}>
          <Totals report={report} />
          <InputList inputs={report.inputs} check={check ?? null} />
          <OutputList outputs={report.outputs} />
        </More>
        <More title="What we send" aside={`${formatFileSize(strippedBytes)}, no keys`}>
          <PrivateParts fields={report.privateFields} lead="Removed before sending, on this device:" />
          <p>When you press the button, the signatures, the scripts and the coins that they spend are sent.</p>
        </More>
        <More title="Your statement" aside={binding?.state === 'bound' ? 'matches' : ''}>
          <Line>{challenge.statement}</Line>
        </More>
        <More title="What others can see" aside={profile?.shown_as === 'range' ? 'name and range' : 'name and amount'}>
          <p>Your name, your rank, {profile?.shown_as === 'range' ? 'the holder tier of your total' : 'your exact total'} and when it was checked. Never your addresses, unless you publish the proof.</p>
        </More>
      </div>
    </section>
  );
}

const ICONS = { yes: <CircleCheck className="size-5 text-positive" aria-hidden="true" />, waits: <CircleDashed className="size-5 text-muted" aria-hidden="true" />, open: <CircleAlert className="size-5 text-muted" aria-hidden="true" /> };

function Tick({ state, aside, children }: { state: keyof typeof ICONS; aside: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-3 py-2.5">
      {ICONS[state]}
      <span className="flex-1 font-medium">{children}</span>
      <span className="num text-[0.8125rem] text-muted">{aside}</span>
    </li>
  );
}

/** Before a first proof: an exact total that was shown once cannot be recalled. It acts at once. */
function ShownLine({ profile, btc }: { profile: Profile; btc: number }) {
  const change = useShownAs(profile);
  const range = profile.shown_as === 'range';
  return (
    <p className="text-center text-sm text-muted">
      Shown: <strong className="num font-semibold text-ink">{range ? `${amountWords({ bitcoin_holdings: btc, shown_as: 'range' })} BTC` : 'exact amount'}</strong> ·{' '}
      <TextButton disabled={change.isPending} onClick={() => change.mutate(range ? 'exact' : 'range')}>
        {range ? 'Show the exact amount instead' : 'Show a range instead'}
      </TextButton>
      <FailureLine error={change.error} fallback="Couldn’t save your choice. Try again." />
    </p>
  );
}
