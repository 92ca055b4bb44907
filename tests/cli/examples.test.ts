/** Every document in examples/ checks, is laid out as the printer does it, and runs as its files say. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { printDocument, readDocument } from "../../src/ir/index.ts";
import { fakeHost } from "./fake-host.ts";

const folder = new URL("../../examples/", import.meta.url);
const files = Object.fromEntries(
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => [name, readFileSync(new URL(name, folder), "utf8")]),
);
const documents = Object.keys(files).filter((name) => name.endsWith(".eir"));

/** Each: the document, the mocks, the exit code, and the verdicts in order. */
const expected: readonly (readonly [name: string, mocks: string, code: number, verdicts: string])[] = [
  ["pay-card", "pay-card.mocks.json", 0, "holds holds"],
  ["lock-up", "lock-up.mocks.json", 0, "holds holds holds holds"],
  ["lock-up", "lock-up.stuck.mocks.json", 1, "unknown holds holds holds"],
  ["newsletter", "newsletter.mocks.json", 0, "holds holds holds holds"],
  ["refund", "refund.mocks.json", 0, "holds holds holds"],
];

async function foreclaim(line: string) {
  const host = fakeHost({ files });
  const code = await runCli(line.split(" "), host, "0");
  return { code, out: host.out(), err: host.err() };
}

describe("the examples", () => {
  it("are all here", () => {
    expect(documents.toSorted()).toEqual([...new Set(expected.map(([name]) => `${name}.eir`))].toSorted());
    const mocks = Object.keys(files).filter((name) => name.endsWith(".mocks.json"));
    expect(mocks.toSorted()).toEqual(expected.map(([, name]) => name).toSorted());
  });

  it.each(documents)("%s checks, and reads like the printer's text", async (name) => {
    expect(await foreclaim(`ir check ${name}`)).toMatchObject({ code: 0, err: "" });
    const text = files[name]!;
    const read = readDocument(text);
    if (!read.ok) throw new Error("unreadable");
    const bare = text.replace(/^\/\/.*\n\n/m, "");
    expect(unwrapped(bare)).toBe(unwrapped(printDocument(read.value.checked.document)));
  });

  it.each(expected)("%s with %s", async (name, mocks, code, verdicts) => {
    const input = `${name}.input.json`;
    const said = await foreclaim(`ir run ${name}.eir --input ${input} --mock ${mocks} --json`);
    const report = JSON.parse(said.out);
    expect(report.guarantees.map(({ verdict }: { verdict: string }) => verdict).join(" ")).toBe(verdicts);
    expect(report.outcome).toEqual({ kind: "completed" });
    expect(said.code).toBe(code);
  });

  it.each(documents)("%s runs with made-up results, whatever the seed", async (document) => {
    const input = document.replace(".eir", ".input.json");
    for (let seed = 0; seed < 10; seed++) {
      const { code, out } = await foreclaim(`ir run ${document} -i ${input} --seed ${seed} --json`);
      expect(code).not.toBe(2);
      expect(JSON.parse(out).trace.length).toBeGreaterThan(0);
    }
  });

  it.each(documents)("%s fits a page", (name) => {
    const lines = files[name]!.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(45);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(110);
  });
});

/** Ignores the line on which a guarantee's formula starts. */
function unwrapped(text: string): string {
  return text.replace(/:\n +/g, ": ");
}
