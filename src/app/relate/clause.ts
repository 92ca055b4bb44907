/** Contracts with their arguments, among the words of a command line. */

/** `bank.maxSpend(100)`, and not the name of a file. */
export function isClause(text: string): boolean {
  return /^\s*[\w$]+(\.[\w$]+)+\s*\([\s\S]*\)\s*$/.test(text);
}
