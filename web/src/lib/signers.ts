/**
 * The wallets and devices that people sign with (`signers.json`): which form of proof each is offered (proofs, section 3), how a file over
 * one's coins comes out of it, and what it shows. `checked` says how each row is known.
 */

import type { CodeForm } from './qr/codes';
import table from './signers.json';

/** The carrier of a statement: a BIP-0322 proof of funds, or a still transaction (proofs, section 2). */
export type Form = 'message' | 'transaction';

/** What a command is written with. */
export interface CommandValues {
  /** The arguments of Bitcoin Core's program for the network of this site: nothing on mainnet. */
  network: string;
  /** The name of the file to sign. */
  file: string;
}

/** One action. The wallet's own labels are between asterisks. */
export type Step =
  | string
  | {
      text: string;
      /** Why to take this step, or what the signer then shows. */
      note?: string;
      /** A line to copy, with places for `{network}` and `{file}`. */
      command?: string;
      /** It replaces the steps before it. */
      instead?: true;
    };

/** How a row is known: which of its own code signed or drew our files, and what was only read. */
export interface Checked {
  run?: string;
  read?: string;
  /** Year and month. */
  when: string;
}

/** How a signer prints the statement. */
export interface Print {
  /** The models that print it so, where others differ. */
  on?: string;
  /** With a place for the statement as `{text}`, `{tail}` (without its first letter), `{hex}` or `{script}` (the output's script), and for its `{length}`. */
  line: string;
  /** The most letters that it prints, and what it prints of a longer statement, with a place for the `{size}` of the script. */
  most?: number;
  beyond?: string;
}

/** What the person who signs one form sees. */
export interface Shown {
  /** What it shows, by what it calls it. */
  shows: [label: string, text: string][];
  /** Empty when nothing of the statement can be read there. */
  prints: Print[];
}

export interface Signer {
  id: string;
  name: string;
  kind: 'program' | 'device';
  /** Where its behavior can be read. */
  source?: string;
  checked?: Checked;
  /** The form that it is offered first; null when it can sign neither at present. */
  form: Form | null;
  /** How to export an unsigned file that spends the coins. */
  coins: Step[];
  /** How to sign the file that was made. */
  sign: Step[];
  /** The form of animated QR codes that it reads, and what reads them; nothing for those without a camera. */
  codes?: { form: CodeForm; by: string };
  /** What it shows of a still transaction. */
  transaction: Shown;
  /** What it shows of a message; absent where a message is not offered. */
  message?: Shown;
  /** Which coins or versions it works with. */
  limit?: string;
  /** Why signing may fail, or always fails. */
  trouble?: string;
}

/** What holds bitcoin and cannot make a proof, and what to do instead. */
export interface Unable {
  id: string;
  name: string;
  source?: string;
  checked?: Checked;
  answer: string;
  /** The signer to use instead. */
  use?: string;
}

/** The first step of a device whose files Sparrow makes and carries. */
export const IN_SPARROW = 'Open your device’s wallet in Sparrow.';

type Steps = Pick<Signer, 'coins' | 'sign'>;
/** A row has steps of its own, those of another, or those of its kind. */
type Row = Omit<Signer, 'form' | 'transaction' | keyof Steps> & Partial<Signer> & { steps?: 'sparrow' };
const { steps, signers, unable } = table as unknown as { steps: Record<'program' | 'sparrow', Steps>; signers: Row[]; unable: Unable[] };
const STEPS = { ...steps, device: { coins: [IN_SPARROW, ...steps.sparrow.coins], sign: steps.sparrow.sign } };
/** What a signer shows whose screens nobody has looked at. */
const UNSEEN: Shown = {
  shows: [
    ['Your addresses', 'with exactly what each has now'],
    ['Fee', '0'],
  ],
  prints: [
    { on: 'As text', line: '{text}' },
    { on: 'Or in hexadecimal', line: '{script}' },
  ],
};
const signerIn = ({ steps: like, ...row }: Row): Signer => ({ form: 'transaction', transaction: UNSEEN, ...STEPS[like ?? row.kind], ...row });
const rows = signers.map(signerIn);

/** A wallet that is not in the table: what it is offered is what most can sign (BIP-174). */
export const ANOTHER = rows.find(({ id }) => id === 'another') as Signer;

export const SIGNERS = rows.filter((row) => row !== ANOTHER);

/** What people ask for that cannot make a proof. A straight answer saves them an evening. */
export const UNABLE = unable;

/** The first ones on offer. */
export const USUAL = ['sparrow', 'electrum', 'bitcoin-core', 'ledger', 'trezor', 'coldcard'].map((id) => signerOf(id));

/** The signer with this id; another wallet when there is none. */
export function signerOf(id: string | null): Signer {
  return SIGNERS.find((signer) => signer.id === id) ?? ANOTHER;
}

/** What was chosen from the table. */
export interface Choice {
  /** What signs; null until something is chosen, and for wallets that we cannot help with. */
  signer: Signer | null;
  /** Why what was chosen cannot make a proof itself. */
  unable: Unable | null;
}

export function choiceOf(id: string | null): Choice {
  const found = UNABLE.find((one) => one.id === id) ?? null;
  return { unable: found, signer: id === null || (found && !found.use) ? null : signerOf(found?.use ?? id) };
}

/** The form of QR codes that a signer is shown first; most read UR. */
export function codesOf({ codes }: Signer): CodeForm {
  return codes?.form ?? 'ur';
}

/** Those that can sign a message. */
export const WITH_MESSAGES = SIGNERS.filter(({ message }) => message);

const PERIOD = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** How a row is known, in words. */
export function checkedWords({ run, read, when }: Checked): string {
  const parts = [run && `Run: ${run}.`, read && `Read: ${read}.`, `${PERIOD.format(new Date(`${when}-01T00:00:00Z`))}.`];
  return parts.filter(Boolean).join(' ');
}

const FORM_NAMES: Record<CodeForm, string> = { bbqr: 'BBQr', ur: 'UR' };

/** How the made file is signed, and how that is done by QR codes. */
export function signingSteps({ sign, codes }: Signer): Step[] {
  if (!codes) return sign;
  const { form, by } = codes;
  return [
    ...sign,
    {
      text: `Or by QR codes: press *Show as QR codes*, let ${by} read them (${FORM_NAMES[form]}), sign, and press *Scan QR codes* to read the answer.`,
      instead: true,
    },
  ];
}

const CORE_NETWORKS: Record<string, string> = { testnet3: ' -testnet', testnet4: ' -testnet4', signet: ' -signet', regtest: ' -regtest' };

/** The arguments that take Bitcoin Core's program to a network. */
export function coreArguments(network: string): string {
  return CORE_NETWORKS[network] ?? '';
}

/** The command of a step, with the reader's own values. */
export function filledCommand(command: string, { network, file }: CommandValues): string {
  return command.replaceAll('{network}', network).replaceAll('{file}', file);
}
