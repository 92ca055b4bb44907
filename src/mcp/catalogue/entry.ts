/** Contracts that were written by hand for servers that many people use. */

/** A server as it is recognized, and its contracts. */
export interface CatalogueServer {
  readonly name: string;
  /**
   * The tools that the contracts speak of, each with the fields that they look at. A server that has all of them, with fields
   * of these types, is taken for this one; the contracts say the same of the calls of any other.
   */
  readonly tools: Readonly<Record<string, Readonly<Record<string, FieldType>>>>;
  /** Tools that no contract of this server has to speak of. A tool that is neither here nor above is called under none. */
  readonly others: readonly string[];
  readonly contracts: readonly CatalogueContract[];
}

/** `?` marks a field that may be omitted. */
export type FieldType = "string" | "string?" | "string[]" | "string[]?" | "boolean?";

export interface CatalogueContract {
  readonly name: string;
  /** The comment of the contract, which reads as a sentence. */
  readonly says: string;
  readonly params: string;
  /** A tool is named as at the server, after `$`. */
  readonly formula: string;
  /** Functions of `foreclaim` that the formula calls. */
  readonly words?: readonly string[];
  /** Arguments, and two bodies of programs: one that the contract is proved of, and one of an attacker that it refutes. */
  readonly example: { readonly args: string; readonly benign: string; readonly hostile: string };
}
