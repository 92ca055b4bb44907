import { expect, test } from "vitest";
import { closest } from "./closest.ts";

const known = ["amount", "account", "to", "bank.withdraw", "length", "LABEL"];

test.each<[string, string | undefined]>([
  ["amuont", "amount"],
  ["amount", "amount"],
  ["Amount", "amount"],
  ["accounts", "account"],
  ["tp", "to"],
  ["label", "LABEL"],
  ["bank.withdarw", "bank.withdraw"],
  ["lenght", "length"],
  // Too far from everything.
  ["subject", undefined],
  ["xy", undefined],
  ["", undefined],
])("%s most likely meant %s", (name, meant) => {
  expect(closest(name, known)).toBe(meant);
});

test("there may be nothing to choose from", () => {
  expect(closest("a", [])).toBeUndefined();
});

test("takes no long time over long names", () => {
  const start = performance.now();
  closest(
    "x".repeat(100_000),
    Array.from({ length: 1000 }, (_, i) => `${"x".repeat(60)}${i}`),
  );
  expect(performance.now() - start).toBeLessThan(1000);
});
