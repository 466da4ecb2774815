/** A proof: as a board publishes it, and as it is downloaded. */
import type { StatedCoin } from '../../api/esplora';
import { displayName } from '../../lib/names';
import type { PublishedProof as Checked } from '../../psbt';
import type { Told } from './told';

/** What anyone can check of a proof file. Nothing in it says who the person is. */
export interface Evidence extends Checked {
  network: string;
  /** What the inputs spend. */
  inputs: StatedCoin[];
}

/** A proof as this board publishes it. */
export interface PublishedProof extends Evidence {
  id: string;
  /** The board's word on the person, signed with the key of its log. */
  note?: string;
  created_at: string;
  expires_at: string;
  published_at: string;
  /** `named` is false for a name that the board has made up. */
  profile: { id: string; username: string; provider: string; named: boolean };
  /** With whether the board counts it; null for the virtual output of a message. */
  inputs: (StatedCoin & { counts: boolean | null })[];
}

const TEXTS = ['id', 'created_at', 'expires_at', 'published_at'] as const;
const PROFILE = ['id', 'username', 'provider'] as const;
const STATEMENT = ['text', 'origin', 'provider', 'subject', 'account_id', 'nonce'] as const;
const TXID = /^[0-9a-f]{64}$/;
const SCRIPT = /^(?:[0-9a-f]{2})*$/;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The evidence in a file, and nothing else of it; null when it is not all there and of the right kinds. */
export function evidenceIn(value: unknown): Evidence | null {
  if (!hasTexts(value, ['network', 'transaction'])) return null;
  const { binding, network, statement, transaction, inputs } = value;
  if (binding !== 'message' && binding !== 'transaction') return null;
  if (!hasTexts(statement, STATEMENT) || !Array.isArray(inputs) || !inputs.every(isInput)) return null;
  const { text, origin, provider, subject, account_id, nonce, name, block } = statement as unknown as Checked['statement'];
  if (block != null && (typeof name !== 'string' || !hasTexts(block, ['header']) || !isCount(block.height, 0xffff_ffff))) return null;
  const dated = block == null ? {} : { name: name ?? null, block: { height: block.height, header: block.header } };
  const coins = (inputs as StatedCoin[]).map(({ txid, vout, value_sats, script_pubkey }) => ({ txid, vout, value_sats, script_pubkey }));
  return {
    binding,
    network: String(network),
    statement: { text, origin, provider, subject, account_id, nonce, ...dated },
    transaction: String(transaction),
    inputs: coins,
  };
}

/** The board's response with all fields of the right types; null when it is not a published proof. */
export function proofIn(value: unknown): PublishedProof | null {
  if (!evidenceIn(value) || !hasTexts(value, TEXTS) || !isId(value.id)) return null;
  const { profile, inputs } = value;
  if (![value.created_at, value.expires_at, value.published_at].every(isTime)) return null;
  if (!hasTexts(profile, PROFILE) || typeof profile.named !== 'boolean') return null;
  const proof = value as unknown as PublishedProof;
  return (inputs as { counts: unknown }[]).every(({ counts }) => counts === null || typeof counts === 'boolean') ? proof : null;
}

/** Whether this is what the board publishes, and not the reason why there is nothing. */
export const isPublished = (board: PublishedProof | Told): board is PublishedProof => 'id' in board;

/** The id of the proof that a file says it is; null when it says none. Nothing but a UUID becomes part of an address. */
export function idIn(value: unknown): string | null {
  return hasTexts(value, ['id']) && isId(value.id) ? value.id : null;
}

export const isId = (text: unknown): text is string => typeof text === 'string' && ID.test(text);

/**
 * Whether a file says what the board says, field for field. Until when a proof counts, and which of its coins do, changes while it is
 * published: only the board's word counts for that.
 */
export function agrees(file: unknown, proof: PublishedProof): boolean {
  const claimed = proofIn(file);
  return claimed !== null && lasting(claimed) === lasting(proof);
}

function lasting(proof: PublishedProof): string {
  const { id, network, binding, created_at, published_at, profile, statement, transaction, inputs } = proof;
  const person = [profile.id, profile.username, profile.provider, profile.named];
  const { name, block } = statement;
  const line = [...STATEMENT.map((key) => statement[key]), name ?? null, block?.height ?? null, block?.header ?? null];
  const coins = inputs.map(({ txid, vout, value_sats, script_pubkey }) => [txid, vout, value_sats, script_pubkey]);
  return JSON.stringify([id, network, binding, created_at, published_at, person, line, transaction, coins]);
}

function isInput(input: unknown): boolean {
  if (!hasTexts(input, ['txid', 'script_pubkey'])) return false;
  const { txid, vout, value_sats: sats, script_pubkey: script } = input;
  return TXID.test(String(txid)) && SCRIPT.test(String(script)) && isCount(vout, 0xffff_ffff) && isCount(sats, 21e14);
}

const isTime = (text: unknown) => typeof text === 'string' && !Number.isNaN(Date.parse(text));
const isCount = (number: unknown, most: number) => Number.isSafeInteger(number) && Number(number) >= 0 && Number(number) <= most;

type Fields = Record<string, unknown>;

function hasTexts(value: unknown, names: readonly string[]): value is Fields {
  return typeof value === 'object' && value !== null && names.every((name) => typeof (value as Fields)[name] === 'string');
}

/** Whether it is a proof for one reader, which no board publishes (the package's documentation of its statement). */
export const isForReader = ({ statement }: Evidence): boolean => statement.origin === READER;

/** Origin of a proof for one reader. */
export const READER = 'reader';

/** The coins that the proof is about: all but the virtual output that a message begins with. */
export function coinsOf<Proof extends Evidence>({ binding, inputs }: Proof): Proof['inputs'] {
  return binding === 'message' ? inputs.slice(1) : inputs;
}

/** The name in the statement, which the device showed when it signed. */
export function signedName({ statement }: Evidence): string {
  return statement.text.split(' ')[4] ?? '';
}

/** The name that the board shows. A fallback name has no prefix. */
export function shownName({ profile }: PublishedProof): string {
  return displayName(profile);
}

/**
 * Whether the board shows the name that was signed. A dated code commits to the full name. Without a date, the name in the statement
 * counts; the package has compared its letters after `~`.
 */
export function isNamed(proof: PublishedProof): boolean {
  const { username, provider, named } = proof.profile;
  const signed = proof.statement.block ? (proof.statement.name ?? '') : signedName(proof);
  const whole = named && provider !== 'google' ? wholeName(username, provider) : null;
  if (proof.statement.block && whole !== null) return signed === whole;
  const [, start, letters] = /^([^~]*)~([a-z2-7]+)$/.exec(signed) ?? [];
  if (start === undefined || letters === undefined) return signed === whole || signed === oldName(proof);
  if (whole === null) return start === '' && letters.length === 8;
  return start !== '' && letters.length === 4 && whole.startsWith(start);
}

/** The name as a statement has it, uncut. Nothing but ASCII is changed, so that no letter becomes another. */
function wholeName(username: string, provider: string): string {
  const prefix = { twitter: '@', github: 'gh:' }[provider] ?? `${provider}:`;
  return (prefix + username).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const MAX_STATEMENT = 75;

/** The name as statements had it before December 2026. */
function oldName(proof: PublishedProof): string {
  const room = MAX_STATEMENT - (proof.statement.text.length - signedName(proof).length);
  const shown = [...shownName(proof)].map((letter) => (/[!-~]/.test(letter) ? letter : /\s/.test(letter) ? '_' : '?'));
  return shown.slice(0, room).join('') || '?';
}

/** The provider's page for a permanent id; null when the provider has none. */
export function personAt({ provider, subject }: Evidence['statement']): string | null {
  if (!/^\d+$/.test(subject)) return null;
  if (provider === 'twitter') return `https://x.com/i/user/${subject}`;
  return provider === 'github' ? `https://api.github.com/user/${subject}` : null;
}

/** The name of a downloaded proof's file. */
export function fileName({ id, profile }: PublishedProof): string {
  return `proof-of-reserves-${profile.username.replaceAll(/[^A-Za-z0-9_.-]/g, '')}-${id.slice(0, 8)}.json`;
}
