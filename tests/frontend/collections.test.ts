/** One-line programs over collections, each compiled and compared with JavaScript. */
import { describe, expect, it } from "vitest";
import { collectionProgram } from "./collection-program.ts";
import { aliases, snippets } from "./collections.ts";
import { compileLab, runAsIr, runAsJavaScript } from "./lab.ts";

// Not every version of Node has them.
// SAFETY: where they are missing, they are put in.
const groups = Object as { groupBy?: unknown };
groups.groupBy ??= (list: readonly unknown[], keyOf: (item: unknown, i: number) => unknown) => {
  const found: Record<string, unknown[]> = Object.create(null);
  list.forEach((item, i) => {
    const key = String(keyOf(item, i));
    found[key] ??= [];
    found[key].push(item);
  });
  return found;
};
const groupsOfMap = Map as { groupBy?: unknown };
groupsOfMap.groupBy ??= (list: readonly unknown[], keyOf: (item: unknown, i: number) => unknown) => {
  const found = new Map<unknown, unknown[]>();
  list.forEach((item, i) => {
    const key = keyOf(item, i);
    found.set(key, [...(found.get(key) ?? []), item]);
  });
  return found;
};

const seeds = Array.from({ length: 12 }, (_, i) => i);

describe("does the same compiled as it does in JavaScript", () => {
  it.each(snippets)("%s", async (snippet) => {
    const source = collectionProgram(snippet);
    const compiled = compileLab(source);
    if (!("document" in compiled))
      throw new Error(compiled.problems.map(({ code, message }) => `${code} ${message}`).join("\n"));
    for (const seed of seeds) {
      const inJavaScript = await runAsJavaScript(source, undefined, seed);
      const inIr = await runAsIr(compiled.document, undefined, seed);
      expect(inIr.calls, `seed ${seed}: ${inIr.end}`).toEqual(inJavaScript.calls);
      expect(inIr.end).toBe("done");
    }
  });
});

describe("one object under two names is seen to change under both, or the change is refused", () => {
  it.each(aliases)("%s", async (snippet) => {
    const source = collectionProgram(snippet);
    const compiled = compileLab(source);
    if (!("document" in compiled)) {
      expect(compiled.problems.map(({ code }) => code)).toEqual(compiled.problems.map(() => "FC2312"));
      return;
    }
    for (const seed of seeds) {
      const inJavaScript = await runAsJavaScript(source, undefined, seed);
      const inIr = await runAsIr(compiled.document, undefined, seed);
      expect(inIr.calls, `seed ${seed}: ${inIr.end}`).toEqual(inJavaScript.calls);
    }
  });
});
