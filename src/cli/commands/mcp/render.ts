/** Words for people about modules of other servers. */
import { count } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Suggestions } from "../../../guard/index.ts";
import { hasDrift, type Imported, type Update } from "../../../mcp/index.ts";
import type { Initialized } from "./init.ts";

const openWords: Readonly<Record<keyof Imported["open"], string>> = {
  anything: "the schema allows anything",
  values: "a value of an object whose schema names no fields",
  cycle: "the type contains itself",
  union: "a union of types",
  map: "an object with any names",
  schema: "the schema says something else",
};

export function importedText({ module, lock, tools, open, ignored, recognized }: Imported): string {
  const places = Object.values(open).reduce((sum, one) => sum + one, 0);
  const reasons = Object.entries(open).map(([why, n]) => `    ${n}  ${wordsFor(why)}`);
  return shownLines([
    `made ${module} and ${lock}: ${count(tools, "tool")}`,
    ...(recognized === undefined ? [] : [`  with the contracts of the catalogue for \`${recognized}\``]),
    ...(places === 0 ? [] : [`  ${count(places, "place")} with any JSON value:`, ...reasons]),
    ...(ignored.length === 0
      ? []
      : [`  ${count(ignored.length, "condition")} that only the server verifies:`]),
    ...ignored.slice(0, 20).map((one) => `    ${one}`),
    "read it before you trust it: every tool counts as one that changes and destroys things until you say otherwise",
  ]);
}

function wordsFor(why: string): string {
  const found = Object.entries(openWords).find(([name]) => name === why);
  return found === undefined ? why : found[1];
}

/** The end of `mcp init`: what was written, and what a person does next. */
export function initEndText({ present, notes, entries, toWrite, direct, ledger }: Initialized): string {
  const steps = [
    ...direct.map(
      ({ file, names }) =>
        `remove ${names.map((one) => `\`${one}\``).join(", ")} from ${file}: a tool that the agent reaches directly is held to nothing`,
    ),
    "restart your agent, and let it work as before: nothing is refused while `--observe` is there",
    `see the guarantees that held: foreclaim mcp suggest --ledger ${ledger}`,
    "accept those that you mean, remove `--observe` from the entry, and restart your agent",
  ];
  return [
    shownLines([
      ...present.map(
        (name) => `foreclaim.json has \`${name}\` already; see foreclaim mcp update --name ${name}`,
      ),
      ...notes.map((note) => `note: ${note}`),
      ...entries.map(
        (file) => `wrote the server \`foreclaim\` to ${file}: it observes, and keeps calls in ${ledger}`,
      ),
    ]),
    ...toWrite.map(({ file, text }) => `${shownLines(["", `add this to ${file}:`])}${text}`),
    ledger === undefined ? "" : shownLines(["", "next:", ...steps.map((one, i) => `  ${i + 1}. ${one}`)]),
  ].join("");
}

export function updateText({ module, lock, drift, diff, accepted }: Update): string {
  if (!hasDrift(drift)) return `nothing has changed since ${lock} was written\n`;
  const { added, removed, changed } = drift;
  return shownLines([
    ...added.map((name) => `added    ${name}`),
    ...removed.map((name) => `removed  ${name}`),
    ...changed.map((name) => `changed  ${name}`),
    ...(diff.length === 0
      ? [`${module} would stay the same`]
      : ["", `--- ${module}`, "+++ made from the list of today", ...diff]),
    "",
    accepted ? `${lock} was written anew` : `change ${module} where it matters, then accept with --accept`,
  ]);
}

export function suggestionsText({ calls, sessions, unreadable, attacks, suggestions }: Suggestions): string {
  const seen = `${count(calls, "call")} of ${count(sessions, "session")}, ${count(attacks, "attack")} tried`;
  const lines = suggestions.flatMap(({ stated, sentence, refuses, examples, refusesMore }, i) => [
    `${String(i + 1).padStart(3)}  ${sentence}`,
    `     ${stated}`,
    `     held of every call; refuses ${count(refuses, "attack")}, such as ${examples.join("; ")}`,
    ...(refusesMore ? ["     leaves no room: one more call like those observed is refused too"] : []),
  ]);
  return shownLines([
    seen,
    ...(unreadable === 0
      ? []
      : [`${count(unreadable, "call")} omitted: no tool module declares such a call`]),
    ...lines,
    suggestions.length === 0
      ? "there is nothing to suggest"
      : "accept with --accept and the numbers of the lines",
  ]);
}

export function acceptedText(file: string, accepted: readonly string[]): string {
  return shownLines([
    ...accepted.map((one) => `accepted  ${one}`),
    `${file} has them now: start \`foreclaim mcp serve\` anew`,
  ]);
}

/** Names, descriptions and diffs hold words that a server chose. */
function shownLines(lines: readonly string[]): string {
  return lines.map((line) => `${visibleText(line)}\n`).join("");
}
