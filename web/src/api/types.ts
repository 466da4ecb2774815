/** Types of the HTTP API under this app's names, from the server's OpenAPI document (`npm run types`). */
import type { components } from './schema';

type Schemas = components['schemas'];

export type Tier = Schemas['Tier'];

/** A row of `profiles`. Holdings in BTC; times in ISO 8601, UTC. The tier is null until a plan is chosen, and for other users. */
export type Profile = Required<Schemas['ProfileRow']>;

/** Whether others see the exact total or only its holder tier. */
export type ShownAs = Schemas['Shown'];

/** A row of `psbts`: one proof of the signed-in user. */
export type Proof = Required<Schemas['ProofRow']>;

/** A user's total from a moment on. */
export type HoldingsPoint = Schemas['HoldingsPoint'];

/** An input as submit-proof takes it. Value and script default to 0 and empty. */
export type Utxo = Required<Schemas['Utxo']>;

export type ProofSubmission = Schemas['SubmitRequest'] & { utxos: Utxo[] };

/** The response of submit-proof to an accepted file. Amounts in BTC and in exact sats. */
export type ProofAccepted = Schemas['SubmitAccepted'];

/** The response to a refused one. */
export interface ProofRefused {
  status: 'conflict' | 'error';
  message: string;
  code?: string;
  /** Whether the same file may be accepted in a moment. */
  again?: true;
  /** Index of the input at fault. */
  input?: number;
}

export type ProofAnswer = ProofAccepted | ProofRefused;

/** Everything stored about a user. */
export type AccountRecord = Schemas['Record'];

/** The whole board: the proven total, the number of holders, and the checked block. */
export type BoardSummary = Schemas['BoardSummary'];

/** The server's settings for the web app. */
export type AppConfig = Schemas['AppConfig'];

/** The account's statement, which binds a proof to it, and the form of a transaction that carries it. */
export type ProofChallenge = Schemas['ProofChallenge'];

/** A file with its name, as the development wallet returns it. */
export type DevelopmentFile = Schemas['SignedFile'];
