/** A proof as a board publishes it, and as it is downloaded. */
import type { StatedCoin } from '../../api/esplora';
import { displayName } from '../../lib/names';
import type { Network, PublishedProof as Checked } from '../../psbt';

export interface PublishedProof extends Checked {
  id: string;
  network: string;
  created_at: string;
  expires_at: string;
  published_at: string;
  /** `named` is false for a name that the board has made up; older files do not say. */
  profile: { id: string; username: string; provider: string; named?: boolean };
  /** What the inputs spend, and whether the board counts it; null for the virtual output of a message. */
  inputs: (StatedCoin & { counts: boolean | null })[];
}

const TEXTS = ['id', 'network', 'created_at', 'expires_at', 'published_at', 'transaction'] as const;
const PROFILE = ['id', 'username', 'provider'] as const;
const STATEMENT = ['text', 'origin', 'provider', 'subject', 'account_id', 'nonce'] as const;
const TXID = /^[0-9a-f]{64}$/;
const SCRIPT = /^(?:[0-9a-f]{2})*$/;

/** What is in it, when it is all there and of the right kinds; null when it is no published proof. */
export function proofIn(value: unknown): PublishedProof | null {
  if (!hasTexts(value, TEXTS)) return null;
  const { binding, profile, statement, inputs } = value;
  if (binding !== 'message' && binding !== 'transaction') return null;
  if (!hasTexts(profile, PROFILE) || !hasTexts(statement, STATEMENT) || !Array.isArray(inputs)) return null;
  if (![value.created_at, value.expires_at, value.published_at].every(isTime)) return null;
  if (!['boolean', 'undefined'].includes(typeof profile.named)) return null;
  return inputs.every(isInput) ? (value as unknown as PublishedProof) : null;
}

function isInput(input: unknown): boolean {
  if (!hasTexts(input, ['txid', 'script_pubkey'])) return false;
  const { txid, vout, value_sats: sats, script_pubkey: script, counts } = input;
  return (
    TXID.test(String(txid)) &&
    SCRIPT.test(String(script)) &&
    isCount(vout, 0xffff_ffff) &&
    isCount(sats, 21e14) &&
    (counts === null || typeof counts === 'boolean')
  );
}

const isTime = (text: unknown) => typeof text === 'string' && !Number.isNaN(Date.parse(text));
const isCount = (number: unknown, most: number) => Number.isSafeInteger(number) && Number(number) >= 0 && Number(number) <= most;

type Fields = Record<string, unknown>;

function hasTexts(value: unknown, names: readonly string[]): value is Fields {
  return typeof value === 'object' && value !== null && names.every((name) => typeof (value as Fields)[name] === 'string');
}

/** The coins that the proof is about: all but the virtual output that a message begins with. */
export function coinsOf({ binding, inputs }: PublishedProof): PublishedProof['inputs'] {
  return binding === 'message' ? inputs.slice(1) : inputs;
}

/** The name in the statement, which the device showed when it signed. */
export function signedName({ statement }: PublishedProof): string {
  return statement.text.split(' ')[4] ?? '';
}

const MAX_STATEMENT = 75;

/** The name that the board shows. One that the board has made up for somebody stands bare. */
export function shownName(proof: PublishedProof): string {
  const { username, named = !fits(proof, username) } = proof.profile;
  return displayName({ ...proof.profile, named });
}

/** Whether the name that the board shows stands in the statement. */
export function isNamed(proof: PublishedProof): boolean {
  return fits(proof, shownName(proof));
}

/** Whether a name is the one in the statement, as far as it fits there (psbt-wasm, `statement`). */
function fits(proof: PublishedProof, name: string): boolean {
  const { text } = proof.statement;
  const signed = signedName(proof);
  const room = MAX_STATEMENT - (text.length - signed.length);
  const shown = [...name].map((letter) => (/[!-~]/.test(letter) ? letter : /\s/.test(letter) ? '_' : '?'));
  return (shown.slice(0, room).join('') || '?') === signed;
}

interface Chain {
  /** As reports show addresses. */
  network: Network;
  /** Of the first block. */
  genesis: string[];
  /** Public sources, of which the first is offered. */
  sources: string[];
}

const TESTNET: Chain = {
  network: 'testnet',
  genesis: [
    '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
    '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
  ],
  sources: ['https://mempool.space/testnet4/api', 'https://blockstream.info/testnet/api'],
};
const MAINNET: Chain = {
  network: 'mainnet',
  genesis: ['000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
  sources: ['https://blockstream.info/api', 'https://mempool.space/api'],
};
const CHAINS: Record<string, Chain> = {
  mainnet: MAINNET,
  bitcoin: MAINNET,
  main: MAINNET,
  testnet: TESTNET,
  testnet4: TESTNET,
  test: TESTNET,
  signet: {
    network: 'signet',
    genesis: ['00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6'],
    sources: ['https://blockstream.info/signet/api', 'https://mempool.space/signet/api'],
  },
  regtest: { network: 'regtest', genesis: ['0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'], sources: [] },
};

/** The chain that the proof says it is about; null when nobody knows it. */
export function chainFor({ network }: Pick<PublishedProof, 'network'>): Chain | null {
  return Object.hasOwn(CHAINS, network) ? (CHAINS[network] ?? null) : null;
}

/** Where somebody can see whose permanent id it is at the provider; null when the provider has no such page. */
export function personAt({ provider, subject }: PublishedProof['statement']): string | null {
  if (!/^\d+$/.test(subject)) return null;
  if (provider === 'twitter') return `https://x.com/i/user/${subject}`;
  return provider === 'github' ? `https://api.github.com/user/${subject}` : null;
}

/** The name of a downloaded proof's file. */
export function fileName({ id, profile }: PublishedProof): string {
  return `proof-of-reserves-${profile.username.replaceAll(/[^A-Za-z0-9_.-]/g, '')}-${id.slice(0, 8)}.json`;
}
