// Sentences of a pull request: each proof as lines, and the lines that differ between base and head.

/**
 * @typedef {{ readonly line: number, readonly column: number }} Place
 * @typedef {{ readonly call: string, readonly tool: string, readonly args: Record<string, unknown>, readonly line?: number, readonly column?: number, readonly file?: string }} Step
 * @typedef {Partial<Place> & { readonly text: string, readonly verdict: string, readonly name?: string, readonly file?: string,
 *   readonly why?: string, readonly counterexample?: { readonly calls: readonly Step[] } | null }} Claim
 * @typedef {{ readonly code: string, readonly message: string, readonly help?: string,
 *   readonly span?: { readonly file?: string, readonly start: Place, readonly end: Place } }} Problem
 * @typedef {{ readonly file: string, readonly verdict: string, readonly guarantees: readonly Claim[],
 *   readonly obligations: readonly Claim[], readonly errors: readonly Problem[], readonly shown?: string }} Proof
 * @typedef {{ readonly file: string, readonly before: string, readonly after: string, readonly removed: readonly string[], readonly added: readonly string[] }} Change
 */

/** A comment may have 65,536 characters; this leaves room for the words around it. */
const MAX_COMMENT = 60_000;
const MAX_LINE = 2_000;

/** Marks the comment, so that the next push rewrites it. */
export const MARK = "<!-- foreclaim -->";

/**
 * Differences by program, those that are no longer proved first.
 *
 * @param {readonly Proof[]} base
 * @param {readonly Proof[]} head
 * @returns {readonly Change[]}
 */
export function changesOf(base, head) {
  const before = new Map(base.map((proof) => [proof.file, proof]));
  const after = new Map(head.map((proof) => [proof.file, proof]));
  const files = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changes = files.flatMap((file) => {
    const [old, now] = [before.get(file), after.get(file)];
    const [gone, come] = [old ? linesOf(old) : [], now ? linesOf(now) : []];
    const removed = gone.filter((line) => !come.includes(line));
    const added = come.filter((line) => !gone.includes(line));
    const change = {
      file,
      before: old?.verdict ?? "absent",
      after: now?.verdict ?? "absent",
      removed,
      added,
    };
    return removed.length + added.length > 0 || change.before !== change.after ? [change] : [];
  });
  return changes.sort((a, b) => rankOf(a.after) - rankOf(b.after));
}

/** @param {string} verdict */
function rankOf(verdict) {
  const order = ["refuted", "invalid", "unknown"];
  const at = order.indexOf(verdict);
  return at === -1 ? order.length : at;
}

/**
 * The sentences of a proof: guarantees with their verdicts, requirements that are open, problems, and possible calls.
 *
 * @param {Proof} proof
 * @returns {readonly string[]}
 */
export function linesOf(proof) {
  const claims = [
    ...proof.guarantees,
    ...proof.obligations.filter(({ verdict }) => verdict !== "proved"),
  ].map(({ verdict, text }) => `${verdict.padEnd(8)} ${text}`);
  const problems = proof.errors.map(({ code, message }) => `${code.padEnd(8)} ${message}`);
  const calls = (proof.shown ?? "")
    .split("\n")
    .filter((line) => /^c\d+ {2}/.test(line))
    .map((line) => `may call ${line.replace(/^c\d+ +/, "")}`);
  return [...new Set([...claims, ...problems, ...calls])];
}

/**
 * The comment in Markdown. Sentences quote texts of the programs, so all of them stand in fences that no text can end.
 *
 * @param {readonly Change[]} changes
 * @param {number} count of all programs at the head
 */
export function commentOf(changes, count) {
  const total = `${count} ${count === 1 ? "program" : "programs"}`;
  if (changes.length === 0)
    return `${MARK}\n**Foreclaim** proved ${total}: this pull request changes no sentence about any of them.\n`;
  const broken = changes.filter(({ after }) => rankOf(after) < 3).length;
  const opening =
    broken > 0
      ? `**Foreclaim**: ${broken} of ${total} not proved after this change.`
      : `**Foreclaim**: the sentences of ${changes.length} of ${total} change.`;
  let text = `${MARK}\n${opening}\n`;
  for (const [i, change] of changes.entries()) {
    const part = `\n${fenced(blockOf(change))}\n`;
    if (text.length + part.length > MAX_COMMENT)
      return `${text}\n… and ${changes.length - i} more; the log of the job has them all.\n`;
    text += part;
  }
  return text;
}

/**
 * @param {Change} change
 * @returns {string}
 */
export function blockOf({ file, before, after, removed, added }) {
  const verdict = before === after ? after : `${before} -> ${after}`;
  return [`# ${file}  ${verdict}`, ...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)]
    .map(visible)
    .join("\n");
}

/** @param {string} text */
function fenced(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}diff\n${text}\n${fence}`;
}

/**
 * One line, with whatever could be overlooked or move the words around it as an escape.
 *
 * @param {string} line
 */
export function visible(line) {
  const shown = line.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Me}\p{Default_Ignorable_Code_Point}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]/gu,
    (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return shown.length > MAX_LINE ? `${shown.slice(0, MAX_LINE)} …` : shown;
}
