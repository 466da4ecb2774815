/**
 * Wire types of the HTTP API. They come from the server's OpenAPI document (`npm run types`); what the document
 * leaves as plain text, because the server may grow it, is narrowed here to what this app knows.
 */
import type { components } from './schema';

type Schemas = components['schemas'];
type Narrow<T, By extends Partial<Record<keyof T, unknown>>> = Omit<T, keyof By> & By;

export type Tier = 'free' | 'premium';
export type Provider = keyof Schemas['SignIn'];
export type Network = 'mainnet' | 'testnet' | 'signet' | 'regtest';

/**
 * A row of `profiles`. Holdings in BTC; times in ISO 8601, UTC. The tier is null until a plan is chosen, and for
 * everybody but its owner.
 */
export type Profile = Narrow<Required<Schemas['ProfileRow']>, { tier: Tier | null; provider: Provider }>;

/** A row of `psbts`: one proof of the signed-in user. */
export type Proof = Narrow<Schemas['ProofRow'], { status: 'verified' | 'reverified' | 'partial-reverify' }>;

/** An input as submit-proof takes it. Value and script default to 0 and empty. */
export type Utxo = Required<Schemas['Utxo']>;
export type ProofSubmission = Narrow<Schemas['SubmitRequest'], { utxos: Utxo[] }>;

type Status = Schemas['Status'];

/** What submit-proof answers when the file was accepted. Amounts in BTC beside exact sats. */
export interface ProofAccepted extends Required<Schemas['Proven']> {
  status: Exclude<Status, 'conflict' | 'error'>;
  message: string;
}

/** What submit-proof answers when it was not. */
export interface ProofRefused {
  status: Extract<Status, 'conflict' | 'error'>;
  message: string;
  code?: string;
  /** Index of the input at fault. */
  input?: number;
}

export type ProofAnswer = ProofAccepted | ProofRefused;

/** Settings the server gives the web app. */
export type AppConfig = Narrow<Schemas['AppConfig'], { network: Network }>;

/** What binds a proof to the signed-in account: one output of exactly this amount. */
export type ProofChallenge = Schemas['ProofChallenge'];

/** A ready-made file of the development chain. */
export type DevelopmentSample = Schemas['SampleFile'];
