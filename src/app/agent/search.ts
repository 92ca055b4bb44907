/** Finds tools and contracts for a task, within a budget of text: an agent pays for every word that it reads. */
import type { CatalogueModule, Entry } from "../load/catalogue.ts";

export type FoundTools = {
  readonly tools: readonly FoundEntry[];
  readonly contracts: readonly FoundEntry[];
  readonly coverage: readonly FoundCoverage[];
  /** The import of each module with a match. */
  readonly imports: readonly string[];
  /** The number of tools and contracts that fit the query and not the budget. */
  readonly omitted: number;
};

export type FoundEntry = {
  readonly name: string;
  readonly signature: string;
  readonly doc?: string;
  readonly requires?: readonly string[];
  readonly ensures?: readonly string[];
  readonly labels?: readonly string[];
};

export type FoundCoverage = {
  readonly label: string;
  readonly whenUsed: readonly string[];
  readonly required: readonly string[];
  readonly recommended: readonly string[];
};

/** LIMIT: of all that is told, in characters: about 4,000 tokens. */
const mostLength = 16_000;

export function searchTools(
  modules: readonly CatalogueModule[],
  query: string,
  namespace: string | undefined,
): FoundTools {
  const words = wordsIn(query);
  const seen = modules.filter((one) => namespace === undefined || namesOf(one).includes(namespace));
  const ranked = seen
    .flatMap((module) => module.entries.map((entry) => ({ module, entry, score: scoreOf(entry, words) })))
    .filter(({ entry, score }) => entry.kind !== "fluent" && (words.length === 0 || score > 0))
    .sort((a, b) => b.score - a.score);
  const tools: FoundEntry[] = [];
  const contracts: FoundEntry[] = [];
  const used = new Set<CatalogueModule>();
  let [length, omitted] = [0, 0];
  for (const { module, entry } of ranked) {
    const found = foundOf(entry);
    const size = JSON.stringify(found).length;
    if (length + size > mostLength) {
      omitted++;
      continue;
    }
    length += size;
    used.add(module);
    (entry.kind === "tool" ? tools : contracts).push(found);
  }
  const names = new Set(tools.map(({ name }) => name));
  const coverage = [...used]
    .flatMap(({ policies }) => policies)
    .filter((one) => one.whenUsed.some((name) => names.has(name)));
  return {
    tools,
    contracts,
    coverage: coverage.map(({ name, label = name, whenUsed, required, recommended }) => ({
      label,
      whenUsed: whenUsed.filter((one) => names.has(one)),
      required,
      recommended,
    })),
    imports: [...used].map((one) => one.importLine),
    omitted,
  };
}

/** All tools as TypeScript declarations, for an editor or a model. */
export function declarationsOf(modules: readonly CatalogueModule[]): string {
  return modules
    .map(({ importLine, entries }) => {
      const from = /from (".*");$/.exec(importLine)?.[1] ?? '""';
      const lines = entries.flatMap(({ kind, name, signature, doc }) => {
        const own = signature.slice(signature.indexOf("(", name.length - 1));
        const last = name.slice(name.lastIndexOf(".") + 1);
        const comment =
          doc === undefined ? [] : [`  /** ${doc.replaceAll("*/", "*\u{2215}").replace(/\s+/g, " ")} */`];
        if (kind === "tool")
          return [...comment, `  export function ${last}${own.replace("({", "(args: {")};`];
        return kind === "contract" ? [...comment, `  export function ${last}${own}: Guarantee;`] : [];
      });
      return `declare module ${from} {\n${lines.join("\n")}\n}\n`;
    })
    .join("\n");
}

function wordsIn(text: string): readonly string[] {
  return text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);
}

/** A word in the name counts more than one in the comment, and a whole word more than its beginning. */
function scoreOf({ name, doc = "", labels }: Entry, words: readonly string[]): number {
  const inName = wordsIn(name);
  const inText = wordsIn(`${doc} ${labels.join(" ")}`);
  const score = (found: readonly string[], word: string): number =>
    found.includes(word)
      ? 2
      : found.some((one) => one.startsWith(word) || (word.startsWith(one) && one.length > 3))
        ? 1
        : 0;
  return words.reduce((sum, word) => sum + 3 * score(inName, word) + score(inText, word), 0);
}

/** `bank`, and for `google.mail` also `google`. */
function namesOf({ entries }: CatalogueModule): readonly string[] {
  const parts = (entries[0]?.name ?? "").split(".").slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join("."));
}

function foundOf({ name, signature, doc, clauses, labels }: Entry): FoundEntry {
  const texts = (word: string) => clauses.filter((one) => one.word === word).map(({ text }) => text);
  const [requires, ensures] = [texts("requires"), texts("ensures")];
  return {
    name,
    signature,
    ...(doc !== undefined && { doc }),
    ...(requires.length > 0 && { requires }),
    ...(ensures.length > 0 && { ensures }),
    ...(labels.length > 0 && { labels }),
  };
}
