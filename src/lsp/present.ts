/** A proof in the words of the protocol: diagnostics, lenses, hovers and quick fixes. */
import { pathToFileURL } from "node:url";
import type { Claim, EditorProof, Position, Problem, Range, Spot } from "./proof.ts";
import { isBefore, overlaps, type TextDocument } from "./text-document.ts";

const severities = { error: 1, warning: 2, information: 3, hint: 4 } as const;
const pages = "https://github.com/foreclaim/foreclaim/blob/main/docs/reference/errors/";
const source = "foreclaim";

export interface Diagnostic {
  readonly range: Range;
  readonly severity: number;
  readonly source: string;
  readonly message: string;
  readonly code?: string;
  readonly codeDescription?: { readonly href: string };
  readonly relatedInformation?: readonly { readonly location: Location; readonly message: string }[];
}

interface Location {
  readonly uri: string;
  readonly range: Range;
}

const atStart: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Returns the diagnostics by file: a problem may be in a tool module. */
export function diagnosticsOf(
  { file, text }: TextDocument,
  proof: EditorProof,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const found = new Map<string, Diagnostic[]>([[file, []]]);
  const add = (at: string, diagnostic: Diagnostic): void => {
    found.set(at, [...(found.get(at) ?? []), diagnostic]);
  };
  for (const problem of proof.problems) add(problem.spot?.file ?? file, problemDiagnostic(problem));
  for (const claim of proof.claims)
    if (claim.verdict !== "proved") add(file, claimDiagnostic(file, claim, anchorIn(text)));
  const { recommended } = proof;
  if (recommended.length > 0) {
    const names = recommended.map((name) => `\`${name}\``).join(", ");
    const message = `the tools in use recommend ${names}, and the program does not state it`;
    add(file, { range: anchorIn(text), severity: severities.information, source, message });
  }
  return found;
}

/** Says why nothing is known. */
export function unprovedDiagnostic({ text }: TextDocument, why: string): Diagnostic {
  return { range: anchorIn(text), severity: severities.warning, source, message: `not proved: ${why}` };
}

function problemDiagnostic({ code, message, help, spot }: Problem): Diagnostic {
  return {
    range: spot?.range ?? atStart,
    severity: severities.error,
    source,
    code,
    codeDescription: { href: `${pages}${code}.md` },
    message: help === undefined ? message : `${message}\nhelp: ${help}`,
  };
}

function claimDiagnostic(file: string, claim: Claim, anchor: Range): Diagnostic {
  const { verdict, sentence, why, spot, steps } = claim;
  const isOwn = spot?.file === file;
  const related = [
    ...(spot && !isOwn ? [{ location: locationOf(spot), message: "required here" }] : []),
    ...steps.map((step) => ({
      location: step.spot ? locationOf(step.spot) : { uri: uriOf(file), range: isOwn ? spot.range : anchor },
      message: step.text,
    })),
  ];
  return {
    range: isOwn ? spot.range : anchor,
    severity: verdict === "refuted" ? severities.error : severities.warning,
    source,
    message: `${verdict}: ${sentence}${why === undefined ? "" : `\n${why}`}`,
    ...(related.length > 0 && { relatedInformation: related }),
  };
}

function locationOf({ file, range }: Spot): Location {
  return { uri: uriOf(file), range };
}

export function uriOf(file: string): string {
  return pathToFileURL(file).href;
}

/** The words that declare the program; the start of a text that has none. */
function anchorIn(text: string): Range {
  const found = /^export default [\w$]+/m.exec(text) ?? /^program\b/m.exec(text);
  if (found === null) return atStart;
  const line = text.slice(0, found.index).split(/\r\n|\n|\r/).length - 1;
  return { start: { line, character: 0 }, end: { line, character: found[0].length } };
}

// ── lenses ───────────────────────────────────────────────────────────────────────────────────────────────

export interface Lens {
  readonly range: Range;
  readonly command: { readonly title: string; readonly command: string };
}

const signs = { proved: "✓", refuted: "✗", unknown: "?", invalid: "✗" } as const;

export function lensesOf({ file, text }: TextDocument, proof: EditorProof): readonly Lens[] {
  const { verdict, claims } = proof;
  const own = claims.filter(
    ({ kind, spot, isAdded }) => kind === "guarantee" && !isAdded && spot?.file === file,
  );
  return [
    lens(anchorIn(text), verdict === "invalid" ? "✗ does not compile" : summaryOf(proof)),
    ...own.map((claim) => lens(claim.spot?.range ?? atStart, `${signs[claim.verdict]} ${claim.verdict}`)),
  ];
}

/** A command without a name shows its title and does nothing. */
function lens(range: Range, title: string): Lens {
  return { range, command: { title, command: "" } };
}

function summaryOf({ verdict, claims }: EditorProof): string {
  const guarantees = claims.filter(({ kind }) => kind === "guarantee");
  const open = guarantees.filter((one) => one.verdict !== "proved");
  const added = guarantees.filter(({ isAdded }) => isAdded).length;
  const others = claims.filter((one) => one.kind === "obligation" && one.verdict !== "proved").length;
  return [
    `${signs[verdict]} ${verdict}`,
    guarantees.length === 0
      ? "states no guarantee"
      : `${guarantees.length - open.length} of ${guarantees.length} guarantees proved`,
    ...(added > 0 ? [`${added} of them required by the tools`] : []),
    ...(others > 0 ? [`${others} requirements of tools not proved`] : []),
  ].join(", ");
}

// ── hovers ───────────────────────────────────────────────────────────────────────────────────────────────

/** The claims at a position in English. Plain text: sentences quote texts of the program. */
export function hoverAt(
  { file }: TextDocument,
  { claims }: EditorProof,
  position: Position,
):
  | { readonly contents: { readonly kind: "plaintext"; readonly value: string }; readonly range: Range }
  | undefined {
  const here = claims.filter(({ spot }) => spot?.file === file && holds(spot.range, position));
  const [first] = here;
  if (first?.spot === undefined) return undefined;
  const texts = new Set(here.map(hoverText));
  return { contents: { kind: "plaintext", value: [...texts].join("\n\n") }, range: first.spot.range };
}

function hoverText({ verdict, sentence, how, why, note }: Claim): string {
  return [
    `${signs[verdict]} ${verdict}: ${sentence}`,
    ...(how === undefined ? [] : [`shown by ${ways.get(how) ?? how}`]),
    ...(why === undefined ? [] : [why]),
    ...(note === undefined ? [] : [`author's note (not verified): ${note}`]),
  ].join("\n");
}

const ways: ReadonlyMap<string, string> = new Map([
  ["ground", "propagation, without a solver"],
  ["smt", "the solver"],
  ["induction", "induction over a loop"],
]);

function holds({ start, end }: Range, position: Position): boolean {
  return !isBefore(position, start) && !isBefore(end, position);
}

// ── quick fixes ──────────────────────────────────────────────────────────────────────────────────────────

export interface Fix {
  readonly title: string;
  readonly kind: "quickfix";
  readonly edit: { readonly changes: Readonly<Record<string, readonly TextEdit[]>> };
}

interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

export function fixesIn(document: TextDocument, proof: EditorProof, range: Range): readonly Fix[] {
  const names = proof.problems.flatMap((problem) => nameFix(document, problem, range));
  const anchor = anchorIn(document.text);
  const stated = proof.claims.filter(
    ({ kind, spot }) => kind === "guarantee" && spot?.file === document.file,
  );
  const isNear = [anchor, ...stated.map(({ spot }) => spot?.range ?? anchor)].some((one) =>
    overlaps(one, range),
  );
  return [...names, ...(isNear ? proof.required.flatMap((name) => statedFix(document, stated, name)) : [])];
}

/** Writes the name that a help proposes in place of the one that is unknown. */
function nameFix(document: TextDocument, { help, message, spot }: Problem, range: Range): readonly Fix[] {
  const near = /^did you mean `([^`]+)`\?$/.exec(help ?? "")?.[1];
  if (near === undefined || spot?.file !== document.file || !overlaps(spot.range, range)) return [];
  if (spot.range.start.line !== spot.range.end.line) return [];
  const line = document.text.split(/\r\n|\n|\r/)[spot.range.start.line] ?? "";
  const written = line.slice(spot.range.start.character, spot.range.end.character);
  // The problem may stand for more than the name: then the name is the quoted one that is most like the proposed one.
  const [wrong] = [...message.matchAll(/`([^`]+)`/g)]
    .map(([, name = ""]) => name)
    .filter((name) => written.includes(name) && written.indexOf(name) === written.lastIndexOf(name))
    .sort((a, b) => likeness(b, near) - likeness(a, near));
  if (wrong === undefined) return [];
  const start = {
    line: spot.range.start.line,
    character: spot.range.start.character + written.indexOf(wrong),
  };
  const end = { line: start.line, character: start.character + wrong.length };
  return [fix(document, `Write \`${near}\``, { range: { start, end }, newText: near })];
}

/** Counts the characters that two names share at their starts and ends. */
function likeness(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return start + end;
}

/** States a contract that the tools require; it takes no arguments. */
function statedFix(document: TextDocument, stated: readonly Claim[], name: string): readonly Fix[] {
  const [module = "", contract = ""] = name.split(".");
  const imports = document.text.matchAll(
    /^import \* as ([\w$]+) from ["'][^"'\n]*?([\w-]+)(?:\.[jt]s)?["']/gm,
  );
  const alias = [...imports].find(([, , from]) => from === module)?.[1];
  if (alias === undefined || contract === "") return [];
  const call = `${alias}.${contract}()`;
  const last = stated.at(-1)?.spot?.range.end;
  if (last !== undefined)
    return [fix(document, `State \`${call}\``, { range: { start: last, end: last }, newText: `, ${call}` })];
  const list = /\bguarantees:\s*\[/.exec(document.text);
  if (list === null) return [];
  const before = document.text.slice(0, list.index + list[0].length).split(/\r\n|\n|\r/);
  const at = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  return [fix(document, `State \`${call}\``, { range: { start: at, end: at }, newText: call })];
}

function fix({ uri }: TextDocument, title: string, edit: TextEdit): Fix {
  return { title, kind: "quickfix", edit: { changes: { [uri]: [edit] } } };
}
