/** Text that an agent chose never reaches the terminal as it is: it cannot hide, move or imitate what we say. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { pieces, visibleText } from "../../src/explain/visible.ts";
import { runs } from "../support/runs.ts";
import { fakeHost } from "./fake-host.ts";

const hostile = {
  "right-to-left letters": "\u05d0\u05d1",
  "a right-to-left override": "\u202egnp",
  isolates: "\u2066x\u2069",
  "a zero-width space": "a\u200bb",
  "a byte order mark": "\ufeffa",
  "an escape sequence": "\u001b[2J",
  "a line end": "a\nproved  all",
  "a carriage return": "a\rproved",
  "a line separator": "a\u2028b",
  "a letter that fonts leave blank": "a\u3164b",
  "another blank": "a\u00a0b",
  "a tag": "a\u{e0041}",
  "half a pair": "a\ud800",
  "a private character": "a\ue000",
  "a heap of marks": "e\u0301\u0302\u0303\u0304",
  "a mark at the start": "\u0301e",
} as const;

/** Lines of ours with everything in them that somebody could have hidden. */
function hiddenIn(output: string): readonly string[] {
  return output
    .split("\n")
    .flatMap((line) => pieces(line).flatMap((one) => (one.isEscape ? [one.text] : [])));
}

async function said(args: readonly string[], files: Readonly<Record<string, string>>) {
  const host = fakeHost({ files });
  await runCli(args, host, "0.0.0");
  return host.out() + host.err();
}

describe("an agent's text", () => {
  it.each(Object.entries(hostile))("with %s is escaped wherever a proof shows it", async (_, text) => {
    const quoted = JSON.stringify(text);
    const eir = `effect-ir 1
tool mail.send(to: string)
program () { call mail.send(to: ${quoted}) }
guarantee mail.only(${quoted}): forall m in mail.send: m.to == ${quoted}
guarantee mail.other(${quoted}): forall m in mail.send: m.to == "bob"
`;
    for (const args of [
      ["prove", "a.eir"],
      ["ir", "run", "a.eir"],
      ["view", "a.eir"],
    ]) {
      const output = await said(args, { "a.eir": eir });
      expect(hiddenIn(output), args.join(" ")).toEqual([]);
      expect(output.split("\n").filter((line) => /^proved {2}all/.test(line))).toEqual([]);
    }
    expect(await said(["prove", "a.eir"], { "a.eir": eir })).toMatch(/refuted/);
  });

  it.each(Object.entries(hostile))("with %s is escaped in the frame of a problem", async (_, text) => {
    const source = `effect-ir 1\nprogram () { call mail.send(to: ${JSON.stringify(text)}) } // ${text.replace(/[\n\r\u2028]/g, " ")}\n`;
    const output = await said(["prove", "a.eir"], { "a.eir": source });
    expect(output).toContain("error FC");
    expect(hiddenIn(output)).toEqual([]);
  });
});

describe("the escaper", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc
      .array(fc.constantFrom(...Object.values(hostile), "a", " ", "\\u202e", "\t"))
      .map((parts) => parts.join("")),
  );

  it("leaves nothing to escape, and changes nothing that it has escaped", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = visibleText(text);
        expect(hiddenIn(shown)).toEqual([]);
        expect(shown).not.toContain("\n");
        expect(visibleText(shown)).toBe(shown);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it("splits a text into pieces that stand for all of it", () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, layout) => {
        expect(pieces(text, layout).reduce((sum, { units }) => sum + units, 0)).toBe(text.length);
      }),
      { numRuns: runs(500) },
    );
  });
});
