/** The network whose addresses a report shows. Files do not say which one they are for. */
export type Network = 'mainnet' | 'testnet' | 'signet' | 'regtest';

/** The kind of an output script; null when the file does not state the script. */
export type ScriptType =
  | 'p2pk'
  | 'p2pkh'
  | 'p2sh'
  | 'p2wpkh'
  | 'p2wsh'
  | 'p2sh-p2wpkh'
  | 'p2sh-p2wsh'
  | 'p2tr'
  | 'p2ms'
  | 'op-return'
  | 'p2a'
  | 'unknown'
  | null;

/** One input, as far as the file describes it. Only the chain knows what it really spends. */
export interface PsbtInput {
  /** The transaction whose output it spends, in the usual (reversed) hexadecimal order. */
  txid: string;
  /** The index of that output. */
  vout: number;
  sequence: number;
  /** The value of that output in satoshis; null when the file does not state it. */
  valueSats: bigint | null;
  /** The script of that output as hexadecimal text; null when the file does not state it. */
  scriptPubKey: string | null;
  /** The address of that script; null when it has none, or is not stated. */
  address: string | null;
  scriptType: ScriptType;
  /**
   * Where value and script are from: the witness UTXO, or else the previous transaction, whose txid has
   * been checked.
   */
  source: 'witness-utxo' | 'previous-transaction' | 'none';
  /** Whether the input carries signatures, or is finalised. Says nothing on whether they are valid. */
  signatures: 'none' | 'partial' | 'final';
}

/** One output. */
export interface PsbtOutput {
  valueSats: bigint;
  /** Hexadecimal text. */
  scriptPubKey: string;
  address: string | null;
  scriptType: ScriptType;
}

/** How many fields tell more about the wallet than a verifier needs. {@link stripPsbt} removes them. */
export interface PrivateFields {
  /** Each reveals every address of an account. */
  extendedPublicKeys: number;
  /** Key origins of inputs and outputs. */
  derivationPaths: number;
  /** Vendors' own fields. */
  proprietary: number;
  /** Fields of unknown types, the message of BIP-322 apart. */
  unknown: number;
  previousTransactions: number;
}

/** What a file says: a plain object, with nothing to free. */
export interface PsbtReport {
  format: 'psbt' | 'transaction';
  /** The PSBT version; null for a transaction. */
  version: 0 | 2 | null;
  encoding: 'binary' | 'base64' | 'hex';
  /** The txid as the file stands. Signing an input that is not native segwit changes it. */
  txid: string;
  transactionVersion: number;
  /** A block height below 500,000,000, else a Unix time. */
  lockTime: number;
  inputs: PsbtInput[];
  outputs: PsbtOutput[];
  /** null unless the file states the value of every input. */
  totalInputSats: bigint | null;
  totalOutputSats: bigint;
  /** null unless the file states the value of every input. */
  feeSats: bigint | null;
  private: PrivateFields;
}

/** Why a file cannot be read. `message` is a sentence for the person who chose the file. */
export class PsbtError extends Error {
  /** For code that carries an error over a boundary that keeps only plain data, like that of a worker. */
  constructor(code: string, message: string, input?: number | null, options?: ErrorOptions);
  readonly name: 'PsbtError';
  /**
   * A stable name for programs: `file-too-short`, `file-too-large`, `invalid-magic`, `could-not-parse`,
   * `no-inputs`, `no-outputs`, `null-outpoint`, `duplicate-input`, `previous-transaction-mismatch`,
   * `previous-output-missing`, `utxo-mismatch`, `amount-out-of-range`, `outputs-above-inputs`,
   * `unknown-network`, `internal`.
   */
  readonly code: string;
  /** The index of the input that is to blame, counted from 0; null when it is not one input. */
  readonly input: number | null;
}

/**
 * Reads a PSBT (version 0 or 2) or a final transaction: binary, base64 or hexadecimal text, at most 32 MiB.
 *
 * @param bytes the content of the file; text as its bytes
 * @param network whose addresses to show
 * @throws {PsbtError} when the file is malformed or contradicts itself
 */
export function readPsbt(bytes: Uint8Array, network: Network): PsbtReport;

/**
 * The same file as binary, with nothing left but what finalising and verifying its signatures needs (a
 * final transaction is returned whole). Inputs without a witness UTXO lose value and script: a verifier
 * takes them from the chain.
 *
 * @param bytes the content of the file, as for {@link readPsbt}
 * @throws {PsbtError} when the file is malformed or contradicts itself
 */
export function stripPsbt(bytes: Uint8Array): Uint8Array;
