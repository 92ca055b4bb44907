import { describe, expect, test } from "vitest";
import type { Code } from "../diagnostic.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { LimitReached, Meter } from "./meter.ts";

function meter(limits: Partial<Limits>): Meter {
  return new Meter({ ...defaultLimits, ...limits });
}

function codeOf(work: () => void): Code | "fine" {
  try {
    work();
    return "fine";
  } catch (thrown) {
    if (thrown instanceof LimitReached) return thrown.code;
    throw thrown;
  }
}

describe("what reaches a limit is allowed, and what goes beyond it is not", () => {
  test("steps", () => {
    const one = meter({ steps: 10 });
    expect(codeOf(() => one.charge(4))).toBe("fine");
    expect(codeOf(() => one.charge(6))).toBe("fine");
    expect(one.steps).toBe(10);
    expect(codeOf(() => one.charge(1))).toBe("FC1407");
    // Once it is beyond, it stays there.
    expect(codeOf(() => one.charge(0))).toBe("FC1407");
  });

  test("strings", () => {
    expect(codeOf(() => meter({ stringLength: 5 }).string(5))).toBe("fine");
    expect(codeOf(() => meter({ stringLength: 5 }).string(6))).toBe("FC1404");
  });

  test("lists", () => {
    expect(codeOf(() => meter({ listLength: 5 }).list(5))).toBe("fine");
    expect(codeOf(() => meter({ listLength: 5 }).list(6))).toBe("FC1405");
    expect(codeOf(() => meter({ listLength: 5 }).lengthOf([1, 2, 3, 4, 5]))).toBe("fine");
    expect(codeOf(() => meter({ listLength: 5 }).lengthOf([1, 2, 3, 4, 5, 6]))).toBe("FC1405");
    expect(codeOf(() => meter({}).list(Number.POSITIVE_INFINITY))).toBe("FC1405");
  });
});

test("long strings and lists cost more than short ones", () => {
  const cost = (work: (one: Meter) => void) => {
    const one = meter({});
    work(one);
    return one.steps;
  };
  expect(cost((one) => one.string(0))).toBeGreaterThan(0);
  expect(cost((one) => one.string(100_000))).toBeGreaterThan(1000);
  expect(cost((one) => one.list(0))).toBeGreaterThan(0);
  expect(cost((one) => one.list(1000))).toBeGreaterThanOrEqual(1000);
});

test("says the limit in words", () => {
  expect(() => meter({ steps: 3 }).charge(4)).toThrow("3 steps");
  expect(() => meter({ stringLength: 7 }).string(8)).toThrow("7 code units");
});
