/** A source whose proof is made in several files, one after the other: the page keeps it. */
export interface Batch {
  source: File;
  of: number;
  /** Files that count already. */
  done: number;
}
