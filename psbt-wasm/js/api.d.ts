/* One file, because wasm-pack copies it into its package unchanged (src/wasm/objects.rs). What only the npm package has: index.d.ts. */

/**
 * The content of a file: its bytes, or its text (base64 or hexadecimal) as a string. Amounts of the functions are `bigint`, in satoshis;
 * only in a {@link ProofFile}, which is JSON, they are numbers.
 */
export type FileContent = string | Uint8Array | ArrayBuffer;

/** The network whose addresses a report shows. Files do not say which one they are for. */
export type Network = 'mainnet' | 'testnet3' | 'testnet4' | 'signet' | 'regtest';

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

/** Whether an input has signatures, or is finalized. {@link checkSignatures} says whether they are valid. */
export type SignatureState = 'none' | 'partial' | 'final';

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
   * Where value and script come from: the witness UTXO, or else the previous transaction, whose txid has
   * been checked.
   */
  source: 'witness-utxo' | 'previous-transaction' | 'none';
  signatureState: SignatureState;
  /**
   * The signature hash type that the file requests, or that the signatures have while the input is not finalized: 1 is ALL, 0 is
   * taproot's DEFAULT. If there are several, one that is neither of these; null when there is none.
   */
  sighash: number | null;
}

/** One output. */
export interface PsbtOutput {
  valueSats: bigint;
  /** Hexadecimal text; empty for a silent payment whose script is not computed yet. */
  scriptPubKey: string;
  address: string | null;
  scriptType: ScriptType;
  /** The silent payment address that it pays (BIP-375); null when it pays none. The script is not checked against it. */
  silentPayment: SilentPayment | null;
}

/** What a silent payment address is made of (BIP-352). */
export interface SilentPayment {
  /** Hexadecimal text, as the spend key. */
  scanKey: string;
  spendKey: string;
  address: string;
  /** The label of change; null when the output has none. */
  label: number | null;
}

/** Counts of the fields that reveal more about the wallet than a verifier needs. {@link stripPsbt} removes them. */
export interface PrivateFields {
  /** Each reveals every address of an account. */
  extendedPublicKeys: number;
  /** Key origins of inputs and outputs. */
  derivationPaths: number;
  /** Vendors' own fields. */
  proprietary: number;
  /** Fields of unknown types, except the message of BIP-322. */
  unknown: number;
  previousTransactions: number;
}

/**
 * - `high-fee`: more than 5 % of the inputs, and more than 10,000 sats
 * - `lock-time`: the transaction cannot be mined yet (heights are estimated, and only for mainnet)
 * - `unsigned-input`: without any signature
 * - `sighash-not-all`: a signature hash type that leaves parts of the transaction open
 * - `unknown-value`: the file does not state what is spent
 * - `field-type`: the type of a field is cut short or not written in the shortest way, so Bitcoin Core refuses the file; {@link inspect} names it
 */
export type WarningCode = 'high-fee' | 'lock-time' | 'unsigned-input' | 'sighash-not-all' | 'unknown-value' | 'field-type';

/** Something to check before signing. It does not make the file invalid. */
export interface Warning {
  code: WarningCode;
  /** A sentence for the person who chose the file. */
  message: string;
  /** The inputs that it is about, counted from 0; empty when it is about the whole transaction. */
  inputs: number[];
}

/** What a file says: a plain object, with nothing to free. */
export interface PsbtReport {
  format: 'psbt' | 'transaction';
  /** The PSBT version; null for a transaction. */
  version: 0 | 2 | null;
  encoding: 'binary' | 'base64' | 'hex';
  /** The txid of the transaction as it is in the file. Signing an input that is not native segwit changes it. */
  txid: string;
  transactionVersion: number;
  /** A block height below 500,000,000, else a Unix time. */
  lockTime: number;
  inputs: PsbtInput[];
  outputs: PsbtOutput[];
  /** The message that a proof of funds signs (BIP-322), decoded as UTF-8; null for other files. */
  message: string | null;
  /** null unless the file states the value of every input. */
  totalInputSats: bigint | null;
  totalOutputSats: bigint;
  /**
   * null unless the file states the value of every input. Also null when the outputs are above the inputs in a file that pays silent
   * payment addresses, because inputs may still be missing.
   */
  feeSats: bigint | null;
  /** The weight of the signed transaction (BIP-141); null when an input is of an unusual kind, or the file does not state its script. */
  weight: number | null;
  /** The same in virtual bytes. */
  vsize: number | null;
  /** Satoshis for each virtual byte. */
  feeRate: number | null;
  /** Whether weight, vsize and feeRate are exact because every input is final. Otherwise a signature counts as 72 bytes, and taproot as a key spend. */
  exactSize: boolean;
  /**
   * The network that derivation paths and extended public keys name; `testnet` means any test network.
   * null when they do not say, or contradict each other. Compare it with the network that you expect before anyone signs.
   */
  networkHint: 'mainnet' | 'testnet' | null;
  privateFields: PrivateFields;
  warnings: Warning[];
}

/** One signature that {@link checkSignatures} found. */
export interface FoundSignature {
  /** The key that it was checked with, as hexadecimal text; null when no key of the script fits. */
  key: string | null;
  /** null when it could not be checked. */
  valid: boolean | null;
  /** The signature hash type that it states: 1 is ALL, 0 taproot's DEFAULT. */
  sighash: number;
  /** Whether it commits to the whole transaction. Any other signature can also be part of another transaction. */
  commitsToAll: boolean;
}

/** Why an input is not validly signed. */
export type SignatureReason =
  | 'no-signature'
  | 'more-signatures-needed'
  | 'wrong-signature'
  | 'sighash-byte-missing'
  | 'wrong-key'
  | 'unknown-utxo'
  | 'script-missing'
  | 'wrong-script'
  | 'unknown-script'
  | 'wrong-form'
  | 'lock-not-met';

/** What is known about the signatures of one input. */
export interface InputSignatures {
  /**
   * - `valid`: all signatures that the script needs are there and valid
   * - `missing`: there are none
   * - `invalid`: one is wrong
   * - `incomplete`: those that are there are valid, and more are needed
   * - `inconclusive`: unknown, because the file lacks something or the script is unusual
   */
  status: 'valid' | 'missing' | 'invalid' | 'incomplete' | 'inconclusive';
  /** Why it is not valid; null when it is. */
  reason: SignatureReason | null;
  /** The reason as a sentence for the person who chose the file. */
  message: string | null;
  /** How many signatures the script needs; null when that is not known. */
  needed: number | null;
  signatures: FoundSignature[];
}

/** What is known about the signatures of a file. Advice for its holder, not proof: see {@link checkSignatures}. */
export interface SignatureReport {
  /** Whether every input is validly signed, and every signature commits to the whole transaction. */
  complete: boolean;
  /** One for each input, in order. */
  inputs: InputSignatures[];
}

/** How much work a check may do, and when it ends early. */
export interface CheckOptions {
  /**
   * The most signature checks, from 0 to 40,000. The default is 40,000, which takes up to 5 seconds. Inputs beyond the limit are
   * `inconclusive`.
   */
  maxChecks?: number;
  /**
   * An `AbortSignal`. Checks run in portions of about a twentieth of a second; other work runs between them, and an aborted
   * check rejects with the signal's reason.
   */
  signal?: { throwIfAborted(): void };
}

/** The members of every proof file. `server/docs/proofs.md` says of each whether it is signed, recomputed or only stated. */
export interface ProofFile {
  /** The network of the coins, to which the code commits. */
  network: Network;
  /** What carries the statement: a BIP-322 proof of funds, or a still transaction. */
  binding: 'message' | 'transaction';
  statement: {
    text: string;
    /** The board's origin, as browsers write it; `reader` in a proof for one reader. */
    origin: string;
    provider: string;
    /** The person's permanent id there. */
    subject: string;
    account_id: string;
    /** The full name, before it is cut. */
    name: string;
    /** 16 bytes as hexadecimal text. */
    nonce: string;
    /** The block that the code commits to: its height, and its header of 80 bytes as hexadecimal text. Block 0 dates nothing. */
    block: { height: number; header: string };
  };
  /** The final transaction as hexadecimal text. */
  transaction: string;
  /** The outputs that its inputs spend, in the same order. The first one of a message is virtual. */
  inputs: ProofInput[];
  /** Signatures by more keys than the scripts need. Only a proof for one reader can have them; one without any lacks this member. */
  further_signatures?: FurtherSignature[];
}

/** A signature that its input does not need, by another key of its multisig script. */
export interface FurtherSignature {
  /** The input, counted from 0. */
  input: number;
  /** The key as it is in the script, as hexadecimal text. */
  public_key: string;
  /** In the encoding of scripts, as hexadecimal text. */
  signature: string;
}

/** What an input spends, as a proof file states it. */
export interface ProofInput {
  txid: string;
  vout: number;
  value_sats: number;
  script_pubkey: string;
}

/** A proof as a board publishes it. */
export interface PublishedProof extends ProofFile {
  id: string;
  /** RFC 3339, as are the other times. */
  created_at: string;
  expires_at: string;
  published_at: string;
  /** `named` is false for a name that the board has made up. */
  profile: { id: string; username: string; provider: string; named: boolean };
  /** The board's confirmation of the person and of what was signed, signed with the key of its log. */
  note: string;
  /** With whether the board counts it; null for the virtual output of a message. */
  inputs: (ProofInput & { counts: boolean | null })[];
}

/** Whose proof it claims to be. Unless it is confirmed, anyone can have written this. */
export interface ClaimedIdentity {
  /**
   * Whether the board confirms that this person made the proof: the file has the board's note, signed by one of the keys in
   * {@link ProofCheckOptions.keys}, about this transaction and these previous outputs. Anyone can sign their own coins for any board and any name, with a nonce of their own, and the code
   * matches. The same proof, read from the board's `/proofs/{id}`, also confirms the person. Until then, show this as a claim, without a
   * link or a check mark.
   */
  confirmed: boolean;
  origin: string;
  provider: string;
  subject: string;
  accountId: string;
  /** The full name, to which the code commits; null when the statement is wrong. */
  name: string | null;
}

/** How {@link checkProof} checks. */
export interface ProofCheckOptions extends CheckOptions {
  /**
   * The keys of the board's logs as the board serves them now (`name+id+key`). Never one that the board has replaced: a thief of it could
   * confirm anyone for ever. Default: none.
   */
  keys?: string[];
}

/** What a coin's script asks for, as far as the input that spends it reveals it, and which keys have signed. */
export interface SpendingConditions {
  /** How many of the keys must sign: 1 of 1, 2 of 3. Keys are counted by their x coordinate. They are keys, not people or devices. */
  needed: number;
  of: number;
  /** The keys that have signed, those of {@link ProofFile.further_signatures} included, by their place in the script, counted from 1. */
  signed: number[];
  /** The absolute lock in the script (BIP-65): a height below 500,000,000, else a Unix time; null when it has none. */
  lockTime: number | null;
  /** The relative lock in the script (BIP-112), as a sequence number; null when it has none. */
  sequence: number | null;
  /** Whether there may be other ways to spend the coin, which taproot hides. */
  hidden: boolean;
}

/** What {@link checkProof} found out. It asks neither the chain nor the board, so it does not say who made the proof. */
export interface ProofCheck extends SignatureReport {
  /** The file, as {@link readProof} reads it. */
  proof: ProofFile | PublishedProof;
  /** Whether everything in the file is right, and no script needs a consensus engine. It confirms no person: see {@link claimed}. */
  complete: boolean;
  /** Whose proof it claims to be. */
  claimed: ClaimedIdentity;
  /**
   * What the board's note in the file is worth, by the keys in {@link ProofCheckOptions.keys}:
   *
   * - `valid`: it is signed, and says this of this proof; `name` is the name that the board shows
   * - `false`: it says something else, its signature is false, or it is no note
   * - `other-key`: no such key has signed it, and it names another key of this board: the board has changed its key since, so fetch the
   *   file again, or the note is made up
   * - `none`: there is none, or nobody of this board has signed it
   */
  note: { is: 'valid'; name: string } | { is: 'false' | 'other-key' | 'none' };
  /**
   * What is wrong with the statement; null when its code matches the network, the board, the person, the account, the name, the nonce and the
   * block in the file, and the profile is that person's.
   */
  statement: 'other-board' | 'other-statement' | null;
  /** What is wrong with the transaction or message that carries the statement; null when it moves nothing and has the statement. */
  carrier:
    | 'other-coins'
    | 'no-statement'
    | 'valueless'
    | 'lock-time'
    | 'sequences'
    | 'elsewhere'
    | 'sums'
    | 'other-message'
    | 'message-form'
    | null;
  /**
   * What is wrong with the first further signature that is not right; null when all are, or there are none. One that is wrong makes the
   * proof false.
   *
   * - `no-input`, `no-multisig`: there is no such input, or it reveals no script whose keys can be counted
   * - `other-key`: the script does not name the key
   * - `twice`: the key has signed already
   * - `sighash`: it leaves a part of the transaction open
   * - `wrong-signature`: it does not fit the key and this input
   */
  further: 'no-input' | 'no-multisig' | 'other-key' | 'twice' | 'sighash' | 'wrong-signature' | null;
  /** One for each input, in order; null when the input does not reveal its script (taproot by its key, an unusual script). */
  conditions: (SpendingConditions | null)[];
  /**
   * The block that the code commits to: the proof was signed after it. The hash and the time (unix seconds) are those of the header; the
   * height is what the file states. Ask a chain source whether it has this block at this height before you show a date. Block 0
   * dates nothing.
   */
  block: { height: number; hash: string; time: number };
  /** SHA-256 of the transaction with its witnesses. */
  transactionSha256: string;
  /** SHA-256 of what its inputs spend, as stated: each output in the encoding of a transaction, one after the other. */
  previousOutputsSha256: string;
  /** The total value of its coins, as stated; 0 when the carrier is wrong. */
  amountSats: bigint;
  /** The transaction and what it spends as one PSBT, for {@link readPsbt}. */
  psbt: Uint8Array<ArrayBuffer>;
}

/** Options of {@link makeProof}. */
export interface ProofOptions {
  /**
   * The line that the signing device shows: printable ASCII without a space at either end, 1 to 75 characters for a transaction, 2 to
   * 330 for a message.
   */
  statement: string;
  /**
   * - `transaction`: a still transaction. Each script gets back exactly what its coins have, and no node accepts it for about 8,000 years
   * - `message`: a proof of funds of BIP-322, which no chain accepts
   */
  form: 'transaction' | 'message';
  /** The lock time of a message. By default the largest absolute lock that can be read from the scripts. */
  lockTime?: number;
  /**
   * Which outputs of a transaction name their keys: `all` (the default), or only the `first-ten`, because Ledger refuses a transaction
   * with more outputs of its own.
   */
  derivations?: 'all' | 'first-ten';
  /** The version of the file: 0 (the default, BIP-174) or 2 (BIP-370), which some signers need. */
  version?: 0 | 2;
  /** The most scripts in one file; {@link MadeProof.partCount} is the number of files. */
  split?: number;
  /** Which of these files is made, counted from 0 (the default). */
  part?: number;
}

/**
 * - `no-previous-transaction`: some devices ask for it
 * - `no-derivation`: the input does not say which key signs it
 * - `no-script`: the input lacks the script that its output has the hash of
 * - `finalized`: the input was already final, so less is known about it
 * - `commitment`: the input is the commitment of a proof of BIP-127, which spends no coin, and is left out
 * - `lock-time`: the script of this input requires the lock time of the message
 * - `lock-not-met`: at least one branch of a script has a lock that the lock time does not satisfy
 * - `many-scripts`: more outputs than Ledger takes
 * - `signature-length`: the statement has 64 or 65 characters, and Sparrow shows it as a signature
 */
export type MakerNoteCode =
  | 'no-previous-transaction'
  | 'no-derivation'
  | 'no-script'
  | 'finalized'
  | 'commitment'
  | 'lock-time'
  | 'lock-not-met'
  | 'many-scripts'
  | 'signature-length';

/** Something to know before signing the file that was made. */
export interface MakerNote {
  code: MakerNoteCode;
  /** The input of the file that was given, counted from 0; null when it is about the whole file. */
  input: number | null;
  /** A sentence for the person who signs: what it is, and what to do about it. It counts inputs from 1. */
  message: string;
}

/** A file to sign. */
export interface MadeProof {
  /** The file, a PSBT as binary. */
  psbt: Uint8Array<ArrayBuffer>;
  /** Number of coins. */
  inputCount: number;
  /** Number of different scripts that the coins have. */
  scriptCount: number;
  /** Total value of the coins. */
  amountSats: bigint;
  /** Number of files that {@link ProofOptions.split} makes. */
  partCount: number;
  notes: MakerNote[];
}

/** Several files combined in one. */
export interface CombinedPsbt {
  /** The file, a PSBT of the first file's version as binary. */
  psbt: Uint8Array<ArrayBuffer>;
  /** For each input, in order, how many signatures it has. Whether they are valid is not checked. */
  inputs: { signatureState: SignatureState; signatureCount: number }[];
}

/** A PSBT in another version. */
export interface ConvertedPsbt {
  /** The file as binary. */
  psbt: Uint8Array<ArrayBuffer>;
  /**
   * What the file said, and version 0 cannot express:
   * - `required-lock-times`: inputs require a lock time. The one that they determine together is the transaction's
   * - `modifiable`: inputs or outputs may be added
   * - `silent-payments`: outputs pay silent payment addresses (BIP-375). A file whose scripts are not computed yet is refused
   */
  lost: ('required-lock-times' | 'modifiable' | 'silent-payments')[];
}

/** Where in a file something is: `index` counts inputs and outputs from 0. */
export interface Place {
  map: 'global' | 'input' | 'output' | null;
  index: number | null;
}

/** One field of a file. */
export interface InspectedField extends Place {
  /** The type of its key, as it is written; null if it is cut short. A type that Bitcoin Core does not read is a problem. */
  type: number | null;
  /** Its name in the BIP, for example `PSBT_IN_PARTIAL_SIG`, or `unknown field`. */
  name: string;
  /** What follows the type in the key, as hexadecimal text; at most 520 bytes, unless {@link InspectOptions.whole} is set. */
  key: string;
  /** Hexadecimal text, at most 520 bytes, unless {@link InspectOptions.whole} is set. */
  value: string;
  /** How long the value is. */
  valueBytes: number;
  /** Its meaning, as texts for people. */
  decoded: Record<string, string>;
}

/** Something that is wrong with a file. */
export interface Problem extends Place {
  code: ErrorCode;
  /** The name of the field; null when it is a map or the file as a whole. */
  field: string | null;
  message: string;
}

/** What is in a file, whether or not it breaks rules. */
export interface Inspection {
  format: 'psbt' | 'transaction';
  /** The version that the file states; null for a transaction. */
  version: number | null;
  encoding: 'binary' | 'base64' | 'hex';
  /** The first 10,000 fields. */
  fields: InspectedField[];
  /** Whether there are more. */
  truncated: boolean;
  /**
   * What {@link readPsbt} refuses, public keys that are not on the curve, and fields of BIP-373, BIP-375 and BIP-376 that break a rule there, which it
   * passes over. At most 1,000.
   */
  problems: Problem[];
}

/** What a text can be that is no PSBT. */
export type RecognizedKind =
  | 'seed-phrase'
  | 'extended-private-key'
  | 'private-key'
  | 'ur'
  | 'bbqr'
  | 'html'
  | 'pset'
  | 'descriptor'
  | 'extended-public-key'
  | 'address'
  | 'test-address'
  | 'hex-prefix'
  | 'data-url'
  | 'pem'
  | 'quoted-mail'
  | 'electrum-qr'
  | 'hex-of-base64'
  | 'json'
  | 'psbt-in-text';

/** What a text is, if it is not a PSBT. */
export interface Recognized {
  kind: RecognizedKind;
  /** Whether anyone who sees it can take coins. */
  secret: boolean;
  /** What it is, and what to do instead. */
  message: string;
}

/**
 * A stable name for programs; the README says what each means. All codes of this package are lower case with hyphens. New ones may come
 * in minor versions.
 */
export type ErrorCode =
  | 'file-too-short'
  | 'file-too-large'
  | 'invalid-magic'
  | 'could-not-parse'
  | 'no-inputs'
  | 'no-outputs'
  | 'null-outpoint'
  | 'duplicate-input'
  | 'previous-transaction-mismatch'
  | 'previous-output-missing'
  | 'utxo-mismatch'
  | 'amount-out-of-range'
  | 'outputs-above-inputs'
  | 'unknown-utxo'
  | 'no-previous-transaction'
  | 'final-transaction'
  | 'unsigned-transaction'
  | 'no-coins'
  | 'not-signed'
  | 'sighash-mismatch'
  | 'sighash-byte-missing'
  | 'other-transaction'
  | 'conflict'
  | 'no-files'
  | 'malformed-proof'
  | 'invalid-words'
  | 'unknown-network'
  | 'invalid-statement'
  | 'invalid-option'
  | 'invalid-instant'
  | 'internal';

/** Why a file cannot be read, or a function not do what it is for. `message` is a sentence for the person who chose the file. */
export class PsbtError extends Error implements Place {
  /** For code that carries an error over a boundary that keeps only plain data, like that of a worker. */
  constructor(code: ErrorCode, message: string, place?: Partial<Place> & { field?: string | null }, options?: ErrorOptions);
  readonly name: 'PsbtError';
  readonly code: ErrorCode;
  /** The map of the file that is wrong; null when it is not about one. */
  readonly map: 'global' | 'input' | 'output' | null;
  /** The index of the input or output, counted from 0. */
  readonly index: number | null;
  /** The name of the field that is wrong, for example `PSBT_IN_PARTIAL_SIG`. */
  readonly field: string | null;
}

/**
 * Reads a PSBT (version 0 or 2) or a final transaction: binary, base64 or hexadecimal text, at most 32 MiB. Public keys are checked by
 * their form (length, prefix, range); {@link inspect}, {@link makeProof}, {@link combine}, {@link convert} and {@link extract} refuse those
 * that are not on the curve as well. In the npm package `await init()` first.
 *
 * @param network the network whose addresses to show
 * @throws {PsbtError} when the file is malformed or contradicts itself
 */
export function readPsbt(file: FileContent, network: Network): PsbtReport;

/**
 * Checks the signatures of a file.
 *
 * This is advice for the holder of the file: it believes what the file says about the coins, and judges common
 * scripts by their form. To rely on a file, look its coins up in the chain, and run the scripts with a consensus engine.
 * A final transaction does not state what it spends, so all its inputs are `inconclusive`. A key that is not on the
 * curve does not make the file malformed; its signatures are not valid.
 *
 * The work is bounded: by {@link CheckOptions.maxChecks}, by the bytes of signatures in the file, and for each input by 1,024 checks. An
 * input that asks for more is `inconclusive`. One check runs at a time.
 *
 * @throws {PsbtError} (the promise rejects) when the file is malformed or contradicts itself, or `file-too-large`: no block can hold the
 *   transaction
 */
export function checkSignatures(file: FileContent, options?: CheckOptions): Promise<SignatureReport>;

/** Where a key is from, as the file says. Nothing of it is checked. */
export interface Derivation {
  /** Hexadecimal text: 33 or 65 bytes, 32 in taproot. Of an extended public key its usual text. */
  key: string;
  /** The fingerprint of the master key: 8 hexadecimal digits. */
  fingerprint: string;
  /** From the master key, for example `m/84'/0'/0'/1/7`. */
  path: string;
  /** The hashes of the leaves that the key is in (BIP-371), as hexadecimal text. */
  leafHashes: string[];
}

/** Where the keys of a file are from. */
export interface Derivations {
  /** The extended public keys. */
  accounts: Derivation[];
  /** One list for each input. */
  inputs: Derivation[][];
  /** One list for each output. */
  outputs: Derivation[][];
  /** Whether there are more than 100,000; others are not listed. */
  truncated: boolean;
  /**
   * The outputs that name a key of the given fingerprint, counted from 0; none if no fingerprint is given. The author of the file can name
   * any fingerprint: derive the address before you call an output change.
   */
  own: number[];
}

/** Options of {@link derivations}. */
export interface DerivationOptions {
  /** Of one's own master key: 8 hexadecimal digits. */
  fingerprint?: string;
}

/**
 * Lists where the keys of inputs and outputs are from (BIP-174, BIP-371), and which outputs are one's own.
 *
 * @throws {PsbtError} (the promise rejects) when the file is malformed or contradicts itself
 */
export function derivations(file: FileContent, options?: DerivationOptions): Promise<Derivations>;

/** Options of {@link inspect}. */
export interface InspectOptions {
  /** The network whose addresses to show; mainnet by default. */
  network?: Network;
  /** Whether keys and values are shown whole, however long they are. */
  whole?: boolean;
}

/**
 * Lists every field of a file with its name and its meaning, also of files that break rules, or have no inputs or outputs.
 *
 * @throws {PsbtError} (the promise rejects) when it is neither a PSBT nor a transaction
 */
export function inspect(file: FileContent, options?: InspectOptions): Promise<Inspection>;

/**
 * Recognizes secrets anywhere in a text (seed phrases of BIP-39 in English, extended private keys, private keys), and other texts that
 * wallets show. Call it before a pasted text goes anywhere.
 *
 * @returns null for anything else, also for PSBTs
 */
export function recognize(given: FileContent): Promise<Recognized | null>;

/**
 * Checks a published proof: that its code matches what it states, that it moves nothing, and that it is signed. It does **not** say who
 * made the proof ({@link ClaimedIdentity}). It has the limits of {@link checkSignatures}: scripts are judged by their form, and you must ask the chain about the coins. Signatures in a place where consensus refuses them are refused.
 *
 * @param file the published JSON, as it was served or saved: text, or its bytes
 * @param origin the origin of the board: a proof for another board is false
 * @throws {PsbtError} (the promise rejects) when it is no proof file, too large, or contradicts itself
 */
export function checkProof(file: FileContent, origin: string, options?: ProofCheckOptions): Promise<ProofCheck>;

/**
 * Reads a proof file strictly, and checks nothing: every member is there once and in its one form, and there is no other. So nobody else reads
 * another proof in the same text.
 *
 * @throws {PsbtError} (the promise rejects) `malformed-proof`
 */
export function readProof(file: FileContent): Promise<ProofFile | PublishedProof>;

/** What goes into a proof for one reader. */
export interface ReaderRequest {
  /** The words that the reader gave: who they are, what it is about, and something random. */
  words: string;
  /** The name that the holder chooses. */
  name: string;
  /** 16 random bytes; as a string in hexadecimal digits. */
  nonce: FileContent;
  /** The header of the newest block that has six blocks above it, 80 bytes (as a string in hexadecimal digits), and its height. */
  header: FileContent;
  height: number;
  /** The network of the coins; mainnet by default. The code commits to it. */
  network?: Network;
}

/**
 * Normalizes the words of a reader, or a name: NFC, one space for each run of white space, none at the ends, at most 200 bytes of UTF-8.
 * `mixed` are words that mix letters of scripts that look alike: warn about them.
 *
 * @throws {PsbtError} (the promise rejects) `invalid-words`: empty, too long, or with hidden characters
 */
export function normalizeWords(given: string): Promise<{ text: string; mixed: string[] }>;

/** The statement of a proof for one reader, for {@link makeProof}. No board accepts it. */
export function readerStatement(request: ReaderRequest): Promise<string>;

/** Options of {@link readerProof}. */
export interface ReaderProofOptions {
  /**
   * Whether valid signatures that the scripts do not need go into the file, so that it shows which keys of a multisig can sign, and not
   * only the quorum. Ask the holder: it tells more about them. {@link combine} keeps such signatures. Default: false.
   */
  everyKey?: boolean;
}

/**
 * The proof file for one reader, for {@link checkProof} with the origin `reader`.
 *
 * @param toSign the file of {@link makeProof}
 * @param signed what the wallet gave back, a PSBT or a transaction
 * @throws {PsbtError} (the promise rejects) when one of the files is malformed, or `file-too-large`: the transaction has more than 4 MB
 */
export function readerProof(
  request: ReaderRequest,
  toSign: FileContent,
  signed: FileContent,
  options?: ReaderProofOptions,
): Promise<ProofFile>;

/**
 * The Unix time of an instant with its time zone, for example `2027-01-01T00:00:00+01:00` or `2026-12-31T23:00Z`. 24:00 is the end of its
 * day.
 *
 * @throws {PsbtError} (the promise rejects) `invalid-instant`, also for a text without a time zone; `message` says what to write
 */
export function readInstant(text: string): Promise<number>;

/** A block of a chain source's best chain. Times are Unix seconds: that of its header, and its median time past (BIP-113). */
export interface BlockTimes {
  height: number;
  hash: string;
  time: number;
  medianTime: number;
}

/** The blocks that bound an instant. */
export interface DateBounds {
  /**
   * The highest block that has no header time after the instant in it or in any block before it; null when not even the first one has none,
   * and while the bounds are not settled.
   */
  lower: BlockTimes | null;
  /** The highest block whose median time past is not after the instant; null when the instant is before the first block. */
  upper: BlockTimes | null;
  /** Whether six blocks are above `upper`. Before that, nothing can be said about the date: it is in the future, or too recent. */
  settled: boolean;
}

/**
 * Finds the blocks that bound an instant. They are two because a block can be mined an hour after an instant and still have a median time
 * past before it. A reorganization may remove them: look both up again after the coins, and start over if one is another.
 *
 * @param time Unix seconds
 * @param tip the height of the source's newest block
 * @param ask gives the block at a height; blocks near it in the same list save requests. What it throws, this function throws
 */
export function findDate(time: number, tip: number, ask: (height: number) => Promise<BlockTimes[]>): Promise<DateBounds>;

/** What a chain source says of a coin. */
export interface CoinHistory {
  valueSats: bigint;
  /** The height of the block that funded it; null while it is unconfirmed. */
  funded: number | null;
  /** The height of the block that spent it; null when no block has, `unknown` when the source does not say. */
  spent: number | null | 'unknown';
}

/**
 * A coin at a date:
 *
 * - `stood`: it was there, and its key signed while it was
 * - `spent-since`: it was there, and was spent above the proof's block: the signature may be later
 * - `spent-before-signing`: it was there, and was spent at or below the proof's block: control was never shown while it existed
 * - `funded-later`, `funded-between`: funded above the upper bound, or above the lower one
 * - `spent-before`, `spent-between`: spent at or below the lower bound, or the upper one
 * - `unconfirmed`: no block has it
 * - `unknown`: the source does not say
 */
export type CoinAtDate =
  | 'stood'
  | 'spent-since'
  | 'spent-before-signing'
  | 'funded-later'
  | 'funded-between'
  | 'spent-before'
  | 'spent-between'
  | 'unconfirmed'
  | 'unknown';

/** What is known of a proof file, or of several: `right`, `false`, or `unchecked` when not everything could be checked. */
export type ProofStatus = 'right' | 'false' | 'unchecked';

/** A proof at a date: the existence of its coins, and control of them. It shows neither completeness nor debts. */
export interface DateVerdict {
  status: ProofStatus;
  /**
   * Why it is not right; null when it is:
   *
   * - `nothing-stood` (false): no coin was there at the date and when it was signed
   * - `not-yet`: the date is in the future, or has fewer than six blocks above it
   * - `not-dated`: the source does not have the proof's block
   * - `too-new`: the proof's block has fewer than six blocks above it
   * - `old`: more than 4,032 blocks are between the proof's block and the date
   * - `cannot-say`: the source does not say when a coin was spent
   * - `spent-since`: all coins that were there were spent since
   */
  reason: 'nothing-stood' | 'not-yet' | 'not-dated' | 'too-new' | 'old' | 'cannot-say' | 'spent-since' | null;
  /** Whether the proof's block is at or below the upper bound, or control was shown later than the date; null when that is not known. */
  control: 'by-the-date' | 'later' | null;
  /** The coins, in order. */
  coins: CoinAtDate[];
  /** The value of the coins that stood: at least so much, because coins that are not in the proof are not seen. */
  stoodSats: bigint;
  /** The value of those that were spent since, never part of the other sum. */
  sinceSats: bigint;
}

/**
 * Judges a proof at a date. Call it for a file that is right in itself, with coins whose values and scripts the source confirms.
 *
 * @param given.signedAfter the height of the proof's block if the source has that block there, else null
 * @param given.tip the height of the source's newest block
 */
export function judgeDate(given: {
  bounds: DateBounds;
  signedAfter: number | null;
  tip: number;
  coins: CoinHistory[];
}): Promise<DateVerdict>;

/** A proof for one reader, and what its own check found. */
export interface JoinedFile {
  /** SHA-256 of the file, as hexadecimal text. */
  sha256: string;
  network: Network;
  /** The reader's request: {@link ClaimedIdentity.subject}. */
  request: string;
  /** The name that the holder chose. */
  name: string;
  /** At the date, if there is one. */
  status: ProofStatus;
  /** All of its coins. `counts`: whether it is in the sum, because it is unspent, or stood at the date. */
  coins: { txid: string; vout: number; valueSats: bigint; counts: boolean }[];
}

/** Several proofs for one reader as one. */
export interface JointProof {
  /** `right` only if every file is, and they fit together. */
  status: ProofStatus;
  /**
   * Why it is not right; null when it is:
   *
   * - `false-file`, `other-request`, `other-network` (false): of one file, or it differs from the first one
   * - `too-many`: more than 20 files or 5,000 coins
   * - `unchecked-file`: not everything in a file could be checked
   * - `same-file`, `same-coin`: a file is there twice, or two files name a coin. Sums then count each coin once
   */
  reason: 'false-file' | 'other-request' | 'other-network' | 'too-many' | 'unchecked-file' | 'same-file' | 'same-coin' | null;
  /** The index of the file that is the reason; null when none is. */
  file: number | null;
  /** One for each name, in the order of the files. `amountSats` is null while there is no sum, because a part is never one. */
  names: { name: string; files: number[]; coinCount: number; amountSats: bigint | null }[];
  /** The sum over all names. null unless there is one name, or they are one client. */
  amountSats: bigint | null;
  /** Coins that several files name. */
  shared: { txid: string; vout: number; files: number[] }[];
}

/**
 * Puts several proofs for one reader together, after each was checked.
 *
 * @param options.oneClient the reader says that all names are one client, so that there is a sum over them. Default: false
 */
export function joinProofs(files: Iterable<JoinedFile>, options?: { oneClient?: boolean }): Promise<JointProof>;

/**
 * The final transaction of a signed file (BIP-174). Inputs that are not final are finalized when their script is one key, m of n keys, or
 * a tapscript of these. Finalizing is not verifying: see {@link checkSignatures}.
 *
 * @throws {PsbtError} (the promise rejects) `not-signed`: an input lacks signatures, or its wallet must finalize it;
 *   `sighash-mismatch`, `sighash-byte-missing`: its signatures are not of the type that it asks for
 */
export function extract(file: FileContent): Promise<Uint8Array<ArrayBuffer>>;

/** A coin as the chain has it; amounts and scripts as in a {@link PsbtInput}. */
export interface Coin {
  txid: string;
  vout: number;
  valueSats: bigint;
  /** Hexadecimal text. */
  scriptPubKey: string;
}

/** Why a signed message is not valid. */
export type MessageReason =
  | 'address'
  | 'encoding'
  | 'form'
  | 'other-message'
  | 'other-text'
  | 'wrong-signature'
  | 'no-signature'
  | 'not-finalized'
  | 'sighash'
  | 'not-strict'
  | 'code-separator'
  | 'lock-not-met'
  | 'unknown-script'
  | 'unknown-version'
  | 'coins-not-looked-up'
  | 'bip137-taproot';

/** What is known of a signed message. */
export interface MessageCheck {
  /**
   * - `valid`: keys of the address have signed the message
   * - `valid-with-locks`: the same, "at time T and age S" (BIP-322): `lockTime` and `sequence`
   * - `invalid`: they have not, or the signature breaks a rule
   * - `inconclusive`: this function cannot tell
   */
  status: 'valid' | 'valid-with-locks' | 'invalid' | 'inconclusive';
  /** Why it is not valid; null when it is. */
  reason: MessageReason | null;
  /** The reason as a sentence for the reader. */
  message: string | null;
  /** The format of the signature; null when it has none of these. */
  format: 'simple' | 'full' | 'proof-of-funds' | 'bip137' | null;
  /** Whether the header byte of a BIP-137 signature names another kind of address, as Electrum writes it. */
  loose: boolean;
  lockTime: number;
  sequence: number;
  /** The total value of the coins of a valid proof of funds; 0 for other messages. */
  amountSats: bigint;
  /** The line endings that were signed, when they are not those of the given message. */
  lineEndings: 'lf' | 'crlf' | null;
  /** For `other-text`: what was signed instead of the given message, which looks the same or nearly so. `message` says it. */
  otherText: 'nfc' | 'nfd' | 'without-line-break' | 'with-line-break' | 'without-mark' | 'with-mark' | null;
}

/**
 * Checks that keys of an address have signed a message: BIP-322 (simple, full, proof of funds) and BIP-137, for P2PKH, P2SH-P2WPKH,
 * P2WPKH, multisig in P2WSH and P2SH, the key path of P2TR, and other scripts that {@link checkSignatures} knows. It always checks
 * against the script of the given address. A proof of funds needs its coins as you looked them up in the
 * chain.
 *
 * @param message the exact bytes, or a string, whose UTF-8 bytes they are
 * @param signature white space in it does not count
 */
export function verifyMessage(
  address: string,
  message: FileContent,
  signature: string,
  options?: { coins?: Iterable<Coin> },
): Promise<MessageCheck>;

/**
 * Returns the file as binary, with only what finalizing and verifying its signatures needs (a final transaction is returned whole).
 * Inputs without a witness UTXO lose value and script: a verifier takes them from the chain. The version stays.
 *
 * @throws {PsbtError} when the file is malformed or contradicts itself
 */
export function stripPsbt(file: FileContent): Uint8Array<ArrayBuffer>;

/**
 * Makes the file to sign from any PSBT over the coins: a proof of reserves that moves nothing and carries the statement.
 *
 * @param file signed or not, with or without outputs; a complete transaction does
 *   not say what it spends
 * @throws {PsbtError} (the promise rejects) when the file is malformed, or lacks what every signer needs; the message says what to do
 */
export function makeProof(file: FileContent, options: ProofOptions): Promise<MadeProof>;

/**
 * A PSBT as version 0 (BIP-174) or 2 (BIP-370). The transaction stays the same, and with it its txid and every signature. As version 2
 * nothing may be added to it.
 *
 * @throws {PsbtError} (the promise rejects) when the file is malformed, or a complete transaction
 */
export function convert(file: FileContent, version: 0 | 2): Promise<ConvertedPsbt>;

/**
 * Combines the files that several signers gave back (the Combiner of BIP-174). Where they have finalized a multisig input with different
 * signatures, all are kept.
 *
 * @param files the contents of the files, together at most 32 MiB
 * @throws {PsbtError} (the promise rejects) when they are about different transactions, or contradict each other
 */
export function combine(files: Iterable<FileContent>): Promise<CombinedPsbt>;
