/** Sources with a piece cut out, doubled or moved: they compile to a document that checks, or end in problems. */
import { describe, expect, it } from "vitest";
import { check } from "../../src/ir/index.ts";
import { runs } from "../support/runs.ts";
import { compileLab, sourceOf } from "./lab.ts";
import { programs } from "./programs.ts";

describe("a mutilated source", () => {
  it("never breaks the compiler", () => {
    const sources = Object.values(programs).map(sourceOf);
    let state = 12345;
    const dice = (sides: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % sides;
    };
    for (let i = 0; i < runs(1500); i++) {
      const source = sources[dice(sources.length)] ?? "";
      const tokens = source.split(/\b/);
      const at = dice(tokens.length);
      const length = 1 + dice(4);
      const piece = tokens.slice(at, at + length);
      if (dice(3) === 0) tokens.splice(at, length);
      else if (dice(2) === 0) tokens.splice(dice(tokens.length), 0, ...piece);
      else tokens.splice(at, length, tokens[dice(tokens.length)] ?? "", ...piece.reverse());
      const mutilated = tokens.join("");
      let result: ReturnType<typeof compileLab>;
      try {
        result = compileLab(mutilated);
      } catch (thrown) {
        throw new Error(`${mutilated}\n${thrown instanceof Error ? thrown.stack : String(thrown)}`);
      }
      if ("document" in result) expect(check(result.document).ok, mutilated).toBe(true);
      else expect(result.problems.length, mutilated).toBeGreaterThan(0);
    }
  });
});
