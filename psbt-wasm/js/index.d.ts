/* One file, because wasm-pack puts it into its package as it stands (src/wasm/objects.rs). */

/** The network whose addresses a report shows. Files do not say which one they are for. */
export type Network = 'mainnet' | 'testnet' | 'testnet4' | 'signet' | 'regtest';

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
  /**
   * Whether the input carries signatures, or is finalized. Says nothing on whether they are valid:
   * {@link checkSignatures} does.
   */
  signatures: 'none' | 'partial' | 'final';
  /**
   * The signature hash type that the file asks for, or that signatures of an input that is not finalized state:
   * 1 is ALL, 0 taproot's DEFAULT; if there are several, one that is neither. null when nothing states it.
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

/** What a person should look at twice. Nothing here makes a file invalid. */
export interface Warning {
  /**
   * - `high-fee`: more than 5 % of the inputs, and more than 10,000 sats
   * - `lock-time`: the transaction cannot be mined yet (heights are estimated, and only for mainnet)
   * - `unsigned-input`: without any signature
   * - `sighash-not-all`: a signature hash type that leaves parts of the transaction open
   * - `unknown-value`: the file does not state what is spent
   */
  code: 'high-fee' | 'lock-time' | 'unsigned-input' | 'sighash-not-all' | 'unknown-value';
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
  /** The txid as the file stands. Signing an input that is not native segwit changes it. */
  txid: string;
  transactionVersion: number;
  /** A block height below 500,000,000, else a Unix time. */
  lockTime: number;
  inputs: PsbtInput[];
  outputs: PsbtOutput[];
  /** The message that the file is a proof of funds about (BIP-322), decoded as UTF-8; null when it is about none. */
  message: string | null;
  /** null unless the file states the value of every input. */
  totalInputSats: bigint | null;
  totalOutputSats: bigint;
  /**
   * null unless the file states the value of every input. While a file pays silent payment addresses, inputs may be missing still; then it is
   * null when the outputs are above the inputs.
   */
  feeSats: bigint | null;
  /** The weight of the signed transaction (BIP-141); null when an input is of an unusual kind, or the file does not state its script. */
  weight: number | null;
  /** The same in virtual bytes. */
  vsize: number | null;
  /** Satoshis for each virtual byte. */
  feeRate: number | null;
  /** Whether these are exact: every input is final. Otherwise signatures are counted as 72 bytes, and taproot as a key spend. */
  sizeIsExact: boolean;
  /**
   * The network that the keys of the file are for, as derivation paths and extended public keys say: `testnet` stands for every test network.
   * null when they do not say, or contradict each other. Compare it with the network that you expect before anyone signs.
   */
  networkHint: 'mainnet' | 'testnet' | null;
  private: PrivateFields;
  warnings: Warning[];
}

/** How strictly a file is read. */
export interface ReadOptions {
  /**
   * `form` (the default) looks at the length, the prefix and the range of public keys; `curve` also whether they
   * are points, which takes about ten times as long. Verdicts and values are otherwise the same.
   */
  keys?: 'form' | 'curve';
}

/** One signature that {@link checkSignatures} found. */
export interface FoundSignature {
  /** The key that it was checked with, as hexadecimal text; null when no key of the script fits. */
  key: string | null;
  /** null when it could not be checked. */
  valid: boolean | null;
  /** The signature hash type that it states: 1 is ALL, 0 taproot's DEFAULT. */
  sighash: number;
  /** Whether it commits to the whole transaction. Any other signature may be part of another transaction, too. */
  commitsToAll: boolean;
}

/** What is known about the signatures of one input. */
export interface InputSignatures {
  /**
   * - `valid`: all signatures that the script wants are there and valid
   * - `missing`: there are none
   * - `invalid`: one is wrong
   * - `incomplete`: those that are there are valid, and more are needed
   * - `inconclusive`: unknown, because the file lacks something or the script is unusual
   */
  status: 'valid' | 'missing' | 'invalid' | 'incomplete' | 'inconclusive';
  /** Why it is not valid; null when it is. */
  reason:
    | 'no-signature'
    | 'more-signatures-needed'
    | 'wrong-signature'
    | 'wrong-key'
    | 'unknown-utxo'
    | 'script-missing'
    | 'wrong-script'
    | 'unknown-script'
    | 'wrong-form'
    | null;
  /** The reason as a sentence for the person who chose the file. */
  message: string | null;
  /** How many signatures the script wants; null when that is not known. */
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
   * How many signatures are tried at most: 0 to 40,000 (the default, which takes up to 5 seconds). Inputs for which nothing is
   * left are `inconclusive`.
   */
  maxChecks?: number;
  /**
   * An `AbortSignal`. Checks run in portions of about a twentieth of a second; between two of them other work runs, and an aborted
   * check rejects with the signal's reason.
   */
  signal?: { throwIfAborted(): void };
}

/** A proof as a board publishes it, of which this is what is checked. */
export interface PublishedProof {
  /** Whose coins these are. A checker asks a source of this chain; the signatures do not depend on it. */
  network?: string;
  /** What carries the statement: a BIP-322 proof of funds, or a still transaction. */
  binding: 'message' | 'transaction';
  statement: {
    text: string;
    /** The board's, as browsers write it; `reader` in a proof for one reader. */
    origin: string;
    provider: string;
    /** The person's permanent id there. */
    subject: string;
    account_id: string;
    /** 16 bytes as hexadecimal text. */
    nonce: string;
    /** The full name, before it is cut. None in a proof that is not dated. */
    name?: string | null;
    /** The block that the code commits to: its height, and its header of 80 bytes as hexadecimal text. None in a proof that is not dated. */
    block?: { height: number; header: string } | null;
  };
  /** The board's word on the person, signed with the key of its log. */
  note?: string | null;
  /** The final transaction as hexadecimal text. */
  transaction: string;
  /** What its inputs spend, in their order; of a message the virtual output first. */
  inputs: { txid: string; vout: number; value_sats: number; script_pubkey: string }[];
}

/** Who a proof says that it is for. Unless it is confirmed, this is what the writer of the file wrote, and no more. */
export interface ClaimedIdentity {
  /**
   * Whether the board says that this person made the proof: the file has its note, signed by one of the keys in
   * {@link ProofCheckOptions.keys}. Anyone can sign coins of their own for any board and any name, with a nonce of their own, and the code
   * fits. The same proof, read from the board's `/proofs/{id}`, confirms a person as well. Until then show this as a claim, without a
   * link or a tick.
   */
  confirmed: boolean;
  origin: string;
  provider: string;
  subject: string;
  accountId: string;
  /** The full name, or of a proof that is not dated the name in the statement, which its code does not commit to; null when the statement is not right. */
  name: string | null;
}

/** How {@link checkProof} checks. */
export interface ProofCheckOptions extends CheckOptions {
  /** Keys of the board's log, as it serves them (`name+id+key`), which you trust; a replaced one as well. Default: none. */
  keys?: string[];
}

/** What is known of a published proof. Neither the chain nor the board has been asked, so it does not say who made it. */
export interface ProofCheck extends SignatureReport {
  /** Whether nothing is wrong with the file, and nothing is left to a consensus engine. It confirms nobody: see {@link claimed}. */
  complete: boolean;
  /** Who the proof says that it is for. */
  claimed: ClaimedIdentity;
  /**
   * What is wrong with the statement; null when its code fits what the file states of the board, the person, the account and the nonce.
   */
  statement: 'other-board' | 'other-statement' | null;
  /** What is wrong with what carries it; null when it moves nothing and says the statement. */
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
   * The block that the code commits to: the proof was signed after it. The hash and the time (unix seconds) are those of the header; the
   * height is what the file states. Ask a chain source whether it has this block at this height before you show a date. Null when the
   * proof is not dated; block 0 dates nothing either.
   */
  block: { height: number; hash: string; time: number } | null;
  /** What its coins are worth together, as stated; 0 when the carrier is wrong. */
  amountSats: bigint;
  /** The transaction and what it spends as one PSBT, for {@link readPsbt}. */
  psbt: Uint8Array;
}

/** What a proof is to be like. */
export interface ProofOptions {
  /**
   * The line that the proof is about: printable ASCII that neither begins nor ends with a space, 1 to 75 characters for a
   * transaction, 2 to 330 for a message.
   */
  statement: string;
  /**
   * - `transaction`: a still transaction, which pays each script exactly what its coins have, and which no node takes for some eight
   *   thousand years
   * - `message`: a proof of funds of BIP-322, which is no transaction of any chain
   */
  form: 'transaction' | 'message';
  /** The lock time of a message. If absent, the largest absolute lock that can be read from the scripts. */
  lockTime?: number;
  /**
   * Which outputs of a transaction say whose they are: `all` (the default), or only the `first-ten`, because Ledger refuses a
   * transaction with more outputs of its own.
   */
  derivations?: 'all' | 'first-ten';
  /** How many scripts a file has at most; `parts` says how many files that makes. */
  split?: number;
  /** Which of these files is made, counted from 0 (the default). */
  part?: number;
}

/** Something that a signer may miss in the file that was made. */
export interface MakerNote {
  /**
   * - `no-previous-transaction`: some devices ask for it
   * - `no-derivation`: the input does not say which key signs it
   * - `no-script`: the input does not show the script that its output is the hash of
   * - `finalised`: the input was final already, so that less is known about it
   * - `lock-time`: the lock time of a message is what the script of this input demands
   * - `lock-not-met`: a script has a lock that the lock time does not satisfy, in one of its branches at least
   * - `many-scripts`: more outputs than Ledger takes
   */
  code:
    | 'no-previous-transaction'
    | 'no-derivation'
    | 'no-script'
    | 'finalised'
    | 'lock-time'
    | 'lock-not-met'
    | 'many-scripts';
  /** The input of the file that was given, counted from 0; null when it is about the whole file. */
  input: number | null;
  /** A sentence for the person who signs: what it is, and what to do about it. It counts inputs from 1. */
  message: string;
}

/** A file to sign. */
export interface MadeProof {
  /** The file, a PSBT of version 0 as binary. */
  psbt: Uint8Array;
  /** How many coins it is over. */
  inputs: number;
  /** How many scripts these coins pay to. */
  scripts: number;
  /** What they are worth together. */
  amountSats: bigint;
  /** How many files of {@link ProofOptions.split} there are. */
  parts: number;
  notes: MakerNote[];
}

/** What several files make together. */
export interface CombinedPsbt {
  /** The file, a PSBT of version 0 as binary. */
  psbt: Uint8Array;
  /** For each input, in order, how many signatures there are, and whether it is finalized. Says nothing on whether they are valid. */
  inputs: { signatures: number; final: boolean }[];
}

/** Where in a file something is: `index` counts inputs and outputs from 0. */
export interface Place {
  map: 'global' | 'input' | 'output' | null;
  index: number | null;
}

/** One field of a file. */
export interface InspectedField extends Place {
  /** The type of its key. */
  type: number;
  /** The name that a BIP gives it, `PSBT_IN_PARTIAL_SIG` for example; `unknown field` if none does. */
  name: string;
  /** What follows the type in the key, as hexadecimal text; at most 520 bytes. */
  key: string;
  /** Hexadecimal text, at most 520 bytes. */
  value: string;
  /** How long the value is. */
  valueBytes: number;
  /** What it says, as texts for people. */
  decoded: Record<string, string>;
}

/** Something that is wrong with a file. */
export interface Problem extends Place {
  /** As of a {@link PsbtError}. */
  code: string;
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
  isCut: boolean;
  /** Empty when {@link readPsbt} takes the file, with keys on the curve. At most 1,000. */
  problems: Problem[];
}

/** What a text is that is no PSBT. */
export interface Recognized {
  kind:
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
    | 'test-address';
  /** Whether anyone who sees it can take coins. */
  isSecret: boolean;
  /** What it is, and what to do instead. */
  message: string;
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
   * `unknown-network`, `invalid-option`, `internal`; of {@link checkProof} also `malformed-proof`; of {@link makeProof} and {@link combine} also `invalid-statement`,
   * `not-signed`, `invalid-words`, `final-transaction`, `no-coins`, `unknown-utxo`, `no-previous-transaction`, `no-files`, `other-transaction`, `conflict`.
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
export function readPsbt(bytes: Uint8Array, network: Network, options?: ReadOptions): PsbtReport;

/**
 * Checks the signatures of a file. Loads a second module when it is first called.
 *
 * This is advice for the holder of the file: it believes what the file says about the coins, and judges common
 * scripts by their form. To rely on a file, look its coins up in the chain, and run the scripts with a consensus engine.
 * A final transaction does not state what it spends, so that all its inputs are `inconclusive`. Keys are read by
 * their form: one that is no point of the curve refuses no file, its signatures are merely not valid.
 *
 * The work is bounded: by {@link CheckOptions.maxChecks}, by the bytes of signatures in the file, and for each input by 1,024 checks. An
 * input that asks for more is `inconclusive`. One check runs at a time.
 *
 * @param bytes the content of the file, as for {@link readPsbt}
 * @throws {PsbtError} (the promise rejects) when the file is malformed or contradicts itself
 */
export function checkSignatures(bytes: Uint8Array, options?: CheckOptions): Promise<SignatureReport>;

/**
 * Lists every field of a file with its name and its meaning, also of files that break rules, or have no inputs or outputs. The same second
 * module as that of {@link checkSignatures}.
 *
 * @param network whose addresses to show; mainnet if absent
 * @throws {PsbtError} (the promise rejects) when it is neither a PSBT nor a transaction
 */
export function inspect(bytes: Uint8Array, network?: Network): Promise<Inspection>;

/**
 * Recognizes secrets anywhere in a text (seed phrases of BIP-39 in English, extended private keys, private keys), and what else wallets show
 * beside PSBTs. Ask it before a pasted text goes anywhere. The same second module as that of {@link checkSignatures}.
 *
 * @returns null for anything else, PSBTs too
 */
export function recognize(given: string | Uint8Array): Promise<Recognized | null>;

/**
 * Checks a published proof: that its code fits what it states, that it moves nothing, and that it is signed. It does **not** say that a
 * person made the proof ({@link ClaimedIdentity}). The same second module as that of
 * {@link checkSignatures}, and the same advice: scripts are judged by their form, and the chain must be asked about the coins. Everything that
 * consensus refuses about where signatures stand is refused here too.
 *
 * @param proof as the board publishes it, parsed
 * @param origin the board that was asked: a proof of another one is false
 * @throws {PsbtError} (the promise rejects) when it is malformed, too large, or contradicts itself
 */
export function checkProof(proof: PublishedProof, origin: string, options?: ProofCheckOptions): Promise<ProofCheck>;

/** What a proof for one reader is made of. */
export interface ReaderRequest {
  /** The words that the reader gave: who they are, what it is about, and something random. */
  words: string;
  /** The name that the holder chooses. */
  name: string;
  /** 16 random bytes. */
  nonce: Uint8Array;
  /** The header of the newest block that has six blocks above it, 80 bytes, and its height. */
  header: Uint8Array;
  height: number;
  /** The network of the coins; mainnet if absent. Checkers ask a chain source of this network. */
  network?: Network;
}

/**
 * The words of a reader, or a name, by one rule: NFC, each run of white space one space, none at the ends, at most 200 bytes of UTF-8.
 * `mixed` are the words with letters of scripts that look alike: warn about them.
 *
 * @throws {PsbtError} (the promise rejects) `invalid-words`: empty, too long, or with hidden characters
 */
export function normalizeWords(given: string): Promise<{ text: string; mixed: string[] }>;

/** The statement of a proof for one reader, for {@link makeProof}. No board accepts it. */
export function readerStatement(asked: ReaderRequest): Promise<string>;

/**
 * The proof file for one reader, for {@link checkProof} with the origin `reader`.
 *
 * @param toSign the file of {@link makeProof}
 * @param signed what the wallet gave back, a PSBT or a transaction
 */
export function readerProof(asked: ReaderRequest, toSign: Uint8Array, signed: Uint8Array): Promise<PublishedProof>;

/**
 * The final transaction of a signed file (BIP-174). Inputs that are not final are finalized when their script is one key, m of n keys, or
 * a tapscript of these. Finalizing is not verifying: see {@link checkSignatures}.
 *
 * @throws {PsbtError} (the promise rejects) `not-signed`: an input lacks signatures, or its wallet must finalize it
 */
export function extract(bytes: Uint8Array): Promise<Uint8Array>;

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
  reason:
    | 'address'
    | 'encoding'
    | 'form'
    | 'other-message'
    | 'wrong-signature'
    | 'no-signature'
    | 'sighash'
    | 'not-strict'
    | 'code-separator'
    | 'unknown-script'
    | 'unknown-version'
    | 'coins-not-looked-up'
    | 'bip137-taproot'
    | null;
  /** The reason as a sentence for the reader. */
  message: string | null;
  /** The format of the signature; null when it has none of them. */
  format: 'simple' | 'full' | 'proof-of-funds' | 'bip-137' | null;
  /** Whether the header byte of a BIP-137 signature names another kind of address, as Electrum writes it. */
  loose: boolean;
  lockTime: number;
  sequence: number;
  /** The line endings that were signed, when they are not those of the given message. */
  lineEndings: 'lf' | 'crlf' | null;
}

/**
 * Checks that keys of an address have signed a message: BIP-322 (simple, full, proof of funds) and BIP-137, for P2PKH, P2SH-P2WPKH,
 * P2WPKH, multisig in P2WSH and P2SH, the key path of P2TR, and other scripts of the templates that {@link checkSignatures} knows. The
 * signature is always checked against the script of the given address. It says nothing about coins. The same second module as that of
 * {@link checkSignatures}.
 *
 * @param message exact bytes, or a string, whose UTF-8 bytes they are
 */
export function verifyMessage(address: string, message: string | Uint8Array, signature: string): Promise<MessageCheck>;

/**
 * The same file as binary, with nothing left but what finalizing and verifying its signatures needs (a
 * final transaction is returned whole). Inputs without a witness UTXO lose value and script: a verifier
 * takes them from the chain.
 *
 * @param bytes the content of the file, as for {@link readPsbt}
 * @throws {PsbtError} when the file is malformed or contradicts itself
 */
export function stripPsbt(bytes: Uint8Array): Uint8Array;

/**
 * Makes the file to sign of any PSBT over the coins: a proof of reserves, which moves nothing and says the statement. The same
 * second module as that of {@link checkSignatures}.
 *
 * @param bytes the content of the file, as for {@link readPsbt}, signed or not; a complete transaction does not say what it spends
 * @throws {PsbtError} (the promise rejects) when the file is malformed, or lacks what nobody can sign without; the message says what to do
 */
export function makeProof(bytes: Uint8Array, options: ProofOptions): Promise<MadeProof>;

/**
 * Puts together what several signers made of one file (the Combiner of BIP-174). The same second module.
 *
 * @param files the contents of the files, together at most 32 MiB
 * @throws {PsbtError} (the promise rejects) when they are about different transactions, or contradict each other
 */
export function combine(files: Iterable<Uint8Array>): Promise<CombinedPsbt>;
