import { describe, expect, it } from "vitest";
import type { Proof, Verdict } from "../../prove/prove.ts";
import { notFollowedWords, verdictOf } from "./verdict.ts";

const guarantee = { name: "a.b", args: [] };
const proved: Verdict = { kind: "proved", by: "ground" };
const unknown: Verdict = { kind: "unknown", why: "so" };
const refuted: Verdict = {
  kind: "refuted",
  run: { inputs: { kind: "record", fields: {} }, trace: [] },
  why: "so",
};
const walk: NonNullable<Proof["walk"]> = {
  facts: [],
  obligations: [],
  assumptions: [],
  states: [],
  stages: [],
  totals: [],
};

function proof(...verdicts: readonly Verdict[]): Proof {
  return { guarantees: verdicts.map((verdict) => ({ guarantee, verdict })), obligations: [], walk };
}

describe("the verdict on a program", () => {
  it.each<[Proof, string]>([
    [proof(proved, proved), "proved"],
    [proof(proved, unknown), "unknown"],
    [proof(unknown, refuted, proved), "refuted"],
    [proof(), "proved"],
  ])("%#: $1", (one, verdict) => {
    expect(verdictOf(one)).toBe(verdict);
    expect(notFollowedWords(one)).toBeUndefined();
  });

  it("is not proved if the program was not followed, whatever it states", () => {
    for (const guarantees of [[], [{ guarantee, verdict: proved }]]) {
      expect(verdictOf({ guarantees, obligations: [] })).toBe("unknown");
      expect(notFollowedWords({ guarantees, obligations: [] })).toContain(
        "does not support a part of the program",
      );
    }
  });
});
