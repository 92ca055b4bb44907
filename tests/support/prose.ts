/**
 * The house rules for prose that a machine can judge: openings of comments, headings and sentences, words that hide a
 * term of the glossary, the length of sentences in messages, and announcements. CONTRIBUTING.md has the rest, with pairs.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Comment, parseSync, Visitor } from "oxc-parser";
import { isModule, isTest, lineAt, type SourceFile, type Violation } from "../../scripts/rooms.mjs";
import { ROOT } from "../../scripts/tools.mjs";
import type { Rule } from "./tidy.ts";

/** A free relative clause in the place of a verb or a noun phrase. */
const relative = /^(?:What|Whatever|Who|Whoever|Whose|Whether|Which|How|Of|That|Where|Wherever)\b/;

export const openingsOfComments: Rule = ({ path, text }) => {
  if (!isModule(path)) return [];
  return sourceOf(path, text)
    .comments.filter(({ value }) => value.startsWith("*"))
    .map(({ start, value }) => ({ start, words: value.replace(/^[*\s]+/, "") }))
    .filter(({ words }) => relative.test(words))
    .map(({ start, words }) => {
      const message = `open with a verb or a noun phrase, not with \`${words.split(/\s/, 1)[0]}\``;
      return { path, line: lineAt(text, start), message };
    });
};

/** Headings are names: `Failed calls`, not `What a failed call is`. */
export const openingsOfHeadings: Rule = ({ path, text }) =>
  proseOf(path, text)
    .filter(({ words }) => /^#+ (?:What|Whatever|Who|Whoever|Whose|Whether|Of|That|Where)\b/.test(words))
    .map(({ line }) => ({ path, line, message: "a heading is a noun phrase, or an instruction" }));

/** A question may open like this. A clause of place (`Where the list is empty, …`) and a pronoun (`That is …`) may too. */
export const openingsOfSentences: Rule = ({ path, text }) =>
  proseOf(path, text).flatMap(({ line, words }) =>
    words
      .replace(/^(?:\s*(?:[-*>]|\d+\.)\s+)?/, "")
      .split(/(?<=[.!?])\s+|\s*\|\s*/)
      .filter((one) => /^\W{0,3}(?:What|Whatever|Who|Whoever|Whether|Of)\b(?!.*\?$)/.test(one))
      .map((one) => ({ path, line, message: `say who does what: \`${one.slice(0, 60)}\`` })),
  );

interface BannedWord {
  readonly pattern: RegExp;
  readonly message: string;
}

export const bannedWords: Rule = ({ path, text }) => {
  if (path === glossary) return [];
  return textsOf(path, text).flatMap(({ line, words }) =>
    banned
      .filter(({ pattern }) => pattern.test(words))
      .map(({ pattern, message }) => {
        const before = words.slice(0, words.search(pattern)).split("\n").length - 1;
        return { path, line: line + before, message };
      }),
  );
};

/** LIMIT: words of one sentence in a message; an expression in a template counts as one. */
const longestSentence = 26;

export const lengthOfMessages: Rule = ({ path, text }) => {
  if (!isModule(path) || isTest(path) || !path.startsWith("src/")) return [];
  return sourceOf(path, text)
    .literals.filter(({ words }) => /[a-z]+ [a-z]+ /.test(words) && !/[\n<>{}=]|^[A-Z ]+ /.test(words))
    .flatMap(({ start, words }) =>
      words
        .split(/[.;:!?] /)
        .filter((one) => one.trim().split(/\s+/).length > longestSentence)
        .map(() => {
          const message = `a sentence of a message has at most ${longestSentence} words`;
          return { path, line: lineAt(text, start), message };
        }),
    );
};

/** Pages say what is so. An announcement is forgotten when it has come true. */
export const announcements: Rule = ({ path, text }) =>
  proseOf(path, text)
    .filter(({ words }) =>
      /\b(?:not|cannot|no)\b(?: [\w`]+){0,4} yet\b|\bwill be added\b|\blater version\b/i.test(words),
    )
    .map(({ line }) => ({ path, line, message: "say what is so now, without `yet`" }));

// ── texts ────────────────────────────────────────────────────────────────────────────────────────────────

interface Passage {
  readonly line: number;
  readonly words: string;
}

/** Comments and messages of sources; paragraphs of pages. */
function textsOf(path: string, text: string): readonly Passage[] {
  if (!isModule(path)) return proseOf(path, text);
  const { comments, literals } = sourceOf(path, text);
  const said = comments.map(({ start, value }) => ({ start, words: value.replaceAll(/\n\s*\*/g, "\n") }));
  const shown = isTest(path) ? [] : literals;
  return [...said, ...shown].map(({ start, words }) => ({ line: lineAt(text, start), words }));
}

/** The lines of a page without code; what a line says is looked at with the next one, since sentences are wrapped. */
function proseOf(path: string, text: string): readonly Passage[] {
  if (!isPage(path)) return [];
  const passages: { line: number; words: string }[] = [];
  let isCode = false;
  let isMade = false;
  let open: { line: number; words: string } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (line.startsWith("<!-- made:")) isMade = true;
    if (line.startsWith("<!-- end")) isMade = false;
    const isText = !isCode && !isMade && !/^\s*(?:```|<!--)/.test(line) && line.trim() !== "";
    const begins = /^(?:#|\s*\||\s*(?:[-*>]|\d+\.)\s)/.test(line);
    if (isText && open !== undefined && !begins) open.words += ` ${line.trim()}`;
    else if (isText) {
      open = { line: index + 1, words: line };
      passages.push(open);
    }
    if (!isText || line.startsWith("#")) open = undefined;
  }
  return passages.map(({ line, words }) => ({ line, words: words.replaceAll(/`[^`]*`/g, "`…`") }));
}

/** The changelog and decision records tell how it was. */
function isPage(path: string): boolean {
  return /\.md$/.test(path) && /^(?:docs\/|examples\/|[A-Z])/.test(path) && path !== "CHANGELOG.md";
}

interface Source {
  readonly comments: readonly Comment[];
  readonly literals: readonly { readonly start: number; readonly words: string }[];
}

const sources = new Map<string, Source>();

function sourceOf(path: string, text: string): Source {
  const key = `${path}\n${text}`;
  const known = sources.get(key);
  if (known !== undefined) return known;
  const { program, comments } = parseSync(path, text);
  const literals: { start: number; words: string }[] = [];
  new Visitor({
    Literal({ start, value }) {
      if (typeof value === "string" && value.includes(" ")) literals.push({ start, words: value });
    },
    TemplateLiteral({ start, quasis }) {
      const words = quasis.map(({ value }) => value.cooked ?? "").join("…");
      if (words.includes(" ")) literals.push({ start, words });
    },
    JSXText({ start, value }) {
      if (value.trim().includes(" ")) literals.push({ start, words: value });
    },
  }).visit(program);
  const source = { comments, literals };
  sources.set(key, source);
  return source;
}

// ── the glossary ─────────────────────────────────────────────────────────────────────────────────────────

const glossary = "docs/glossary.md";
const banned = bannedIn(readFileSync(join(ROOT, glossary), "utf8"));

function bannedIn(text: string): readonly BannedWord[] {
  const [, table = ""] = text.split("## Words not to use");
  return [...table.matchAll(/^\| (?!not \||---)([^|]+) \| ([^|]+) \|$/gm)].map(([, not = "", write = ""]) => {
    const end = write === "American spelling" ? "" : "\\b";
    const pattern = new RegExp(`\\b(?:${not.split(", ").join("|").replaceAll(" ", "\\s+")})${end}`, "i");
    return { pattern, message: `write \`${write}\` instead of \`${not}\`` };
  });
}

// ── rooms ────────────────────────────────────────────────────────────────────────────────────────────────

/** `src/ir`, `docs/adr`, `tests`, and `.` for the pages at the top. */
export function roomOf({ path }: Pick<SourceFile, "path">): string {
  const [first = "", second = "", third] = path.split("/");
  if (second === "") return ".";
  return third !== undefined && (first === "src" || first === "docs") ? `${first}/${second}` : first;
}

/** Violations by room. */
export function byRoom(violations: readonly Violation[]): ReadonlyMap<string, readonly Violation[]> {
  const rooms = new Map<string, Violation[]>();
  for (const one of violations) rooms.set(roomOf(one), [...(rooms.get(roomOf(one)) ?? []), one]);
  return rooms;
}
