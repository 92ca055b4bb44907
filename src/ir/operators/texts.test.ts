/** Costs of patterns, and patterns that the checker refuses. */
import { describe, expect, it } from "vitest";
import { LimitReached, Meter } from "../eval/meter.ts";
import { defaultLimits } from "../limits.ts";
import { bool } from "../type.ts";
import { operatorNamed } from "./index.ts";

function run(text: string, pattern: string, limits = {}): { value: unknown; steps: number } {
  const evaluate = operatorNamed("matches")?.evaluate;
  if (evaluate?.kind !== "strict") throw new Error("it looks at both operands");
  const meter = new Meter({ ...defaultLimits, ...limits });
  const value = evaluate.apply([text, pattern], { meter, type: bool });
  return { value, steps: meter.steps };
}

function codeOf(work: () => unknown): string {
  try {
    work();
    return "";
  } catch (thrown) {
    if (thrown instanceof LimitReached) return thrown.code;
    throw thrown;
  }
}

function printed(name: string, outer: string | undefined): string | undefined {
  const smt = operatorNamed(name)?.smt;
  if (smt?.kind !== "term") throw new Error("it has a form");
  return smt.print(["x", "y"], [], { literals: [undefined, outer], opaque: () => "(f x y)" });
}

describe("matches", () => {
  it("costs the length of the text times the size of the pattern, however often it is asked", () => {
    const [short, long, again] = [10, 1_000, 1_000].map(
      (length) => run("a".repeat(length), "^(a|b){1,20}c").steps,
    );
    expect(long! / short!).toBeGreaterThan(50);
    expect(again).toBe(long);
    const [small, big] = ["a{10}", "a{100}"].map((pattern) => run("b".repeat(1_000), pattern).steps);
    expect(big! / small!).toBeGreaterThan(5);
  });

  it("stops at the limit of steps, before it begins", () => {
    const { steps } = run("a".repeat(100), "^a*$");
    expect(run("a".repeat(100), "^a*$", { steps }).value).toBe(true);
    expect(codeOf(() => run("a".repeat(100), "^a*$", { steps: steps - 1 }))).toBe("FC1407");
    expect(codeOf(() => run("a".repeat(1_000_000), "a{900}"))).toBe("FC1407");
  });

  it("never answers for a pattern that is too big, and finds nowhere what is no pattern", () => {
    expect(codeOf(() => run("a".repeat(2000), "a{2000}"))).toBe("FC1410");
    expect(run("a".repeat(2000), "a{2000}", { patternSize: 5000 }).value).toBe(true);
    expect(run("(", "(").value).toBe(false);
  });

  it("tells a solver nothing of what it cannot say exactly", () => {
    expect(printed("matches", "^a$")).toBe('(str.in_re x (str.to_re "\\u{61}"))');
    for (const pattern of [undefined, "(", "a{2000}"]) expect(printed("matches", pattern)).toBeUndefined();
  });
});

describe("inside", () => {
  it.each(["pathInside", "urlInside"])("%s tells a solver nothing where the root is not known", (name) => {
    expect(printed(name, undefined)).toBeUndefined();
    expect(printed(name, "")).toBe("false");
  });

  it("leaves open what no regular language can say", () => {
    expect(printed("pathInside", "/a")).toMatch(
      /^\(or \(str\.in_re x .*\) \(and \(str\.in_re x .*\) \(f x y\)\)\)$/,
    );
    expect(printed("urlInside", "https://a.b/c")).toContain("(f x y)");
    expect(printed("urlInside", "https://a.b")).not.toContain("(f x y)");
  });
});
