/** The declarations of tool modules as data. */
import type { PlainJson } from "../../ir/index.ts";
import type { CatalogueModule, Entry } from "../load/catalogue.ts";

export function moduleReport({ file, importLine, entries, policies }: CatalogueModule): PlainJson {
  const of = (kind: Entry["kind"]) => entries.filter((entry) => entry.kind === kind).map(entryToJson);
  return {
    file,
    import: importLine,
    tools: of("tool"),
    fluents: of("fluent"),
    contracts: of("contract"),
    coverage: policies.map((policy) => ({ ...policy })),
  };
}

function entryToJson({ kind, name, signature, doc, clauses, labels, flags }: Entry): PlainJson {
  const all = (word: string) => clauses.filter((clause) => clause.word === word).map(({ text }) => text);
  const only = (word: string) => all(word)[0] ?? null;
  const common = { name, signature, doc: doc ?? null };
  switch (kind) {
    case "tool":
      return {
        ...common,
        requires: all("requires"),
        ensures: all("ensures"),
        sets: all("sets"),
        cost: only("cost"),
        stores: only("stores"),
        endorses: only("endorses"),
        readers: only("readers"),
        labels,
        flags,
      };
    case "fluent":
      return { ...common, initial: only("initial") };
    case "contract":
      return { ...common, means: only("means") };
  }
}
