/** Wire types of the HTTP API, by the names that this app has for them. They come from the server's OpenAPI document (`npm run types`). */
import type { components } from './schema';

type Schemas = components['schemas'];

export type Tier = Schemas['Tier'];

/**
 * A row of `profiles`. Holdings in BTC; times in ISO 8601, UTC. The tier is null until a plan is chosen, and for
 * everybody but its owner.
 */
export type Profile = Schemas['ProfileRow'];

/** What others see of a total: all of it, or the holder tier that it is in. */
export type ShownAs = Schemas['Shown'];

/** A row of `psbts`: one proof of the signed-in user. */
export type Proof = Schemas['ProofRow'];

/** What counted for somebody from a moment on. */
export type HoldingsPoint = Schemas['HoldingsPoint'];

/** An input as submit-proof takes it. Value and script default to 0 and empty. */
export type Utxo = Required<Schemas['Utxo']>;

export type ProofSubmission = Schemas['SubmitRequest'] & { utxos: Utxo[] };

/** What submit-proof answers when the file was accepted. Amounts in BTC beside exact sats. */
export type ProofAccepted = Schemas['SubmitAccepted'];

/** What is known when it was not. */
export interface ProofRefused {
  status: Schemas['Refusal'];
  message: string;
  code?: string;
  /** Index of the input at fault. */
  input?: number;
}

export type ProofAnswer = ProofAccepted | ProofRefused;

/** Everything that is on record about somebody. */
export type AccountRecord = Schemas['Record'];

/** The board as a whole: what is proven on it, by how many, and up to which block. */
export type BoardSummary = Schemas['BoardSummary'];

/** Settings the server gives the web app. */
export type AppConfig = Schemas['AppConfig'];

/** What binds a proof to the signed-in account: its statement, and what a transaction that carries it is like. */
export type ProofChallenge = Schemas['ProofChallenge'];

/** A ready-made file of the development chain. */
export type DevelopmentSample = Schemas['SampleFile'];

/** A file under its name: what such a sample is, and what the development wallet gives back. */
export type DevelopmentFile = Schemas['SignedFile'];
