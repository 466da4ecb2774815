/** For the board's own pages, like log.d.ts: not a part of the package's interface. */
export declare const functions: {
  /**
   * What a file says of whose it is, by the statement of an account.
   *
   * @throws {PsbtError} when the file is malformed or contradicts itself
   */
  bindingOf(file: Uint8Array, statement: string): Binding;
  /**
   * The full name that a statement's code commits to.
   *
   * @param provider the name of the provider, and `subject` the person's permanent id there
   * @param name with the prefix of the provider; empty for a person without a name of their own
   */
  fullName(provider: string, subject: string, name: string): string;
};

/** As far as the file itself tells: the server decides. Inputs and outputs count from 0. */
export type Binding =
  /** A still transaction, or a proof of funds, with this account's statement (proofs, section 2). */
  | { state: 'bound' }
  /** No problem is visible here; the server checks the rest. */
  | { state: 'unknown'; why: 'message' | 'values' | 'earlier-code' }
  /** It carries a statement for another account, or for another site. */
  | { state: 'foreign'; statement: string }
  /** It carries this account's statement, but could still be broadcast. */
  | { state: 'moving'; fault: Fault }
  /** A message whose first input the device that signed it has made final (embit's issue 146). */
  | { state: 'changed' }
  /** It mentions no statement. */
  | { state: 'unbound' };

/** Why a transaction with a statement is no still transaction. */
export type Fault =
  | { of: 'lock-time'; found: number }
  | { of: 'sequences' }
  /** More than one output without a value. */
  | { of: 'valueless' }
  /** The statement is not the only push of an OP_RETURN without a value. */
  | { of: 'form'; output: number }
  /** The output pays a script that no input spends. */
  | { of: 'elsewhere'; output: number }
  /** The script of this input gets back more or less than its coins have, in sats. */
  | { of: 'sum'; input: number; had: number; back: number };
