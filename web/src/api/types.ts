/** Wire types of the HTTP API, as it sends them. */

export type Tier = 'free' | 'premium';
export type Provider = 'twitter' | 'google' | 'github' | 'mock';
export type Network = 'mainnet' | 'testnet' | 'signet' | 'regtest';

/** A row of `profiles`. Holdings in BTC; times in ISO 8601, UTC. */
export interface Profile {
  id: string;
  username: string;
  avatar_url: string | null;
  updated_at: string;
  /** Null until a plan is chosen, and for everybody but its owner. */
  tier: Tier | null;
  verified: boolean;
  bitcoin_holdings: number | null;
  last_verified: string | null;
  /** Competition rank among verified users. */
  rank: number | null;
  last_auto_reverify: string | null;
  provider: Provider;
}

/** A row of `psbts`: one proof of the signed-in user. */
export interface Proof {
  id: string;
  user_id: string;
  file_name: string;
  bitcoin_amount: number;
  status: 'verified' | 'reverified' | 'partial-reverify';
  verified: boolean;
  created_at: string;
  expires_at: string;
  active: boolean;
  mock: boolean;
}

/** An input as submit-proof takes it. Value and script default to 0 and empty. */
export interface Utxo {
  txid: string;
  vout: number;
  value_sats: number;
  scriptPubKey: string;
}

export interface ProofSubmission {
  psbtBase64: string;
  utxos: Utxo[];
  file_name: string;
}

/** What submit-proof answers when the file was accepted. Amounts in BTC beside exact sats. */
export interface ProofAccepted {
  status: 'success' | 'reverified' | 'already-verified';
  message: string;
  amount: number;
  amount_sats: number;
  total: number;
  total_sats: number;
  expires_at: string;
}

/** What submit-proof answers when it was not. */
export interface ProofRefused {
  status: 'conflict' | 'error';
  message: string;
  code?: string;
  /** Index of the input at fault. */
  input?: number;
}

export type ProofAnswer = ProofAccepted | ProofRefused;

/** Settings the server gives the web app. */
export interface AppConfig {
  development: boolean;
  network: Network;
  max_file_bytes: number;
  max_body_bytes: number;
  max_inputs: number;
  proof_days: number;
  sign_in: Record<Provider, boolean>;
}

/** A ready-made file of the development chain. */
export interface DevelopmentSample {
  id: string;
  file_name: string;
  title: string;
  description: string;
  psbt_base64: string;
}
