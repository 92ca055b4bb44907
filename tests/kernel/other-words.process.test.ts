/**
 * No decision rests on a sentence, and none is lost with a new version of Node: builds in which every sentence is another one,
 * or the tables of Unicode are, read and continue what this version and earlier ones wrote, and the other way round.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuildName, Builds, type WentOn } from "../support/golden/builds.ts";
import { goldenVersions, sqliteCopy } from "../support/golden/read.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-words-"));
const builds = new Builds();
const written = new Map<BuildName, string>();
beforeAll(async () => {
  await builds.make();
  for (const name of ["usual", "reworded", "other tables"] as const) {
    const url = `sqlite:${join(folder, `${name.replace(" ", "-")}.db`)}`;
    builds.write(name, url, goldenVersions[0] ?? "");
    written.set(name, url);
  }
});
afterAll(() => {
  builds.clear();
  rmSync(folder, { recursive: true, force: true });
});

/** Everything verifies, goes on and verifies again; gives the words it is told in. */
function fine(found: Readonly<Record<string, WentOn>>): readonly string[] {
  expect(Object.keys(found).length).toBeGreaterThan(10);
  for (const [name, one] of Object.entries(found))
    expect([name, one.before, one.after]).toEqual([name, true, true]);
  return Object.values(found).flatMap(({ words }) => words);
}

const rulesTaken = (found: Readonly<Record<string, WentOn>>) => found.rules?.taken;

describe("a build with other words for everything", () => {
  test.each(goldenVersions)("goes on with ledgers of version %s, and this one with those then", (version) => {
    const url = sqliteCopy(version, folder, `golden-${version}.db`);
    const words = fine(builds.goOn("reworded", url));
    expect(words.every((one) => one.includes("other words for "))).toBe(true);
    fine(builds.goOn("usual", url));
  });

  test("goes on with what this one wrote, and this one with what it wrote", () => {
    const theirs = builds.goOn("reworded", written.get("usual") ?? "");
    const ours = builds.goOn("usual", written.get("reworded") ?? "");
    expect(fine(theirs).some((one) => one.includes("other words for nothing to delete"))).toBe(true);
    expect(fine(ours)).toContain("there is no `nowhere` to delete");
    const reasonsOf = (found: typeof ours) => Object.values(found).map(({ reasons }) => reasons);
    expect(reasonsOf(theirs)).toEqual(reasonsOf(ours));
  });
});

describe("a build with other tables of Unicode", () => {
  test("decides what this one decided, since rules on texts have tables of their own, and goes on", () => {
    const theirs = builds.goOn("other tables", written.get("usual") ?? "");
    fine(theirs);
    expect(rulesTaken(theirs)).toEqual([]);
    const ours = builds.goOn("usual", written.get("other tables") ?? "");
    fine(ours);
    expect(rulesTaken(ours)).toEqual([]);
  });

  test("takes what was decided in the third form, and says by which rules", () => {
    const theirs = builds.goOn("other tables", sqliteCopy("form-3", folder, "golden-3-tables.db"));
    fine(theirs);
    expect(rulesTaken(theirs)).toEqual(["forbiddenText"]);
  });

  test("of the first form nobody knows the tables, so what was decided then stands too", () => {
    const url = sqliteCopy("0.1.0", folder, "golden-tables.db");
    const theirs = builds.goOn("other tables", url);
    fine(theirs);
    expect(rulesTaken(theirs)).toEqual(["forbiddenText"]);
    // With the same tables there is nothing to take.
    expect(rulesTaken(builds.goOn("usual", sqliteCopy("0.1.0", folder, "golden-same.db")))).toEqual([]);
  });
});
