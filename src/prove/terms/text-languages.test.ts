/** Facts about texts that follow without a solver. */
import { expect, it } from "vitest";
import { Assumed } from "../decide/propagate.ts";
import { Terms } from "./factory.ts";
import type { Term } from "./term.ts";

const terms = new Terms();
const [to, name] = [terms.constant("to", "String"), terms.constant("name", "String")];
const text = (value: string) => terms.literal(value, "String");
const says = (op: string, of: Term, known: string) => terms.apply(op, of, text(known));
const address = terms.apply("++", name, text("@example.com"));

it.each<[what: string, assumed: Term, goal: Term, holds: boolean]>([
  ["a larger pattern", says("matches", to, "^[a-c]+$"), says("matches", to, "^[a-z]+$"), true],
  ["a smaller pattern", says("matches", to, "^[a-z]+$"), says("matches", to, "^[a-c]+$"), false],
  ["how it ends", says("matches", to, "^[a-z]+@x\\.io$"), says("endsWith", to, "@x.io"), true],
  ["how it does not end", says("matches", to, "^[a-z]+@x\\.io$"), says("endsWith", to, "@y.io"), false],
  ["that it does not end so", says("matches", to, "^[a-z]+$"), terms.not(says("endsWith", to, "1")), true],
  ["a part", says("matches", to, "^[a-z]+$"), terms.not(says("contains", to, "@")), true],
  ["a pattern that is not anchored", says("matches", to, "[a-z]+"), says("matches", to, "^[a-z]+$"), false],
  ["what it is not", terms.not(says("matches", to, "@")), terms.not(says("endsWith", to, "@x.io")), true],
  [
    "of what it is made",
    says("matches", name, "^[a-z]+$"),
    says("matches", address, "^[a-z]+@[a-z.]+$"),
    true,
  ],
  [
    "of what it may be made",
    says("matches", name, "[a-z]+"),
    says("matches", address, "^[a-z]+@[a-z.]+$"),
    false,
  ],
  ["of what it is not made", says("endsWith", name, "@"), says("endsWith", address, "@example.com"), true],
  ["another text", says("matches", name, "^a$"), says("matches", to, "^a$"), false],
  ["what it is", says("matches", to, "^ab?$"), terms.or(says("==", to, "a"), says("==", to, "b")), false],
])("%s", (_, assumed, goal, holds) => {
  expect(new Assumed(terms).holds([assumed], goal)).toBe(holds);
});
