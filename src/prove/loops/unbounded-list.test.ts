/** Facts about lists derived from unknown lists. */
import { expect, it } from "vitest";
import { readDocument } from "../../ir/read.ts";
import { listOf, recordOf, string } from "../../ir/type.ts";
import { Assumed } from "../decide/propagate.ts";
import type { Scene } from "../symbolic/compile.ts";
import { merge } from "../symbolic/shape.ts";
import { walk } from "../symbolic/symbolic-executor.ts";
import { fresh, type ListSymbolic, type Symbolic, scalar } from "../symbolic/symbolic-value.ts";
import { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { choose, isIn, joined, Lists, lengthOf } from "./unbounded-list.ts";

const terms = new Terms();
const type = listOf(string);
const text = (name: string) => scalar(terms.constant(name, "String"));
const [x, y] = [text("x"), text("y")];
const c = terms.constant("c", "Bool");
const one: ListSymbolic = { kind: "list", items: [{ present: terms.true, value: x }] };
const none: ListSymbolic = { kind: "list", items: [] };
const same = terms.equal(x.term, y.term);

function sceneOf(): { scene: Scene; assumed: Term[]; some: Symbolic } {
  const assumed: Term[] = [];
  let count = 0;
  const scene: Scene = {
    terms,
    names: new Map(),
    types: new Map(),
    constrain: (term) => assumed.push(term),
    count: () => count++,
    lists: new Lists(),
    look: () => {
      throw new TypeError("there is no trace");
    },
    command: undefined,
    bounds: [],
  };
  return { scene, assumed, some: fresh(terms, "some", type, () => undefined) };
}

const follows = (assumed: readonly Term[], goal: Term) => new Assumed(terms).holds(assumed, goal);

it("contains what was put at the end, and what was in it", () => {
  const { scene, some } = sceneOf();
  const longer = joined(terms, [some, one], type);
  expect(follows([same], isIn(longer, y, scene))).toBe(true);
  expect(follows([isIn(some, y, scene)], isIn(longer, y, scene))).toBe(true);
  expect(follows([terms.not(same), isIn(longer, y, scene)], isIn(some, y, scene))).toBe(true);
  expect(follows([], isIn(longer, y, scene))).toBe(false);
  expect(follows([], terms.not(isIn(longer, y, scene)))).toBe(false);
});

it("is as long as its parts", () => {
  const { scene, some } = sceneOf();
  const longer = joined(terms, [some, one, one], type);
  expect(lengthOf(longer, scene)).toBe(terms.apply("+", lengthOf(some, scene), terms.int(2)));
});

it("is the one or the other", () => {
  const { scene, some } = sceneOf();
  const longer = joined(terms, [some, one], type);
  const chosen = merge(terms, c, longer, some);
  expect(isIn(chosen, y, scene)).toBe(terms.ite(c, isIn(longer, y, scene), isIn(some, y, scene)));
  expect(lengthOf(chosen, scene)).toBe(terms.ite(c, lengthOf(longer, scene), lengthOf(some, scene)));
  const emptied = merge(terms, c, none, some);
  expect(isIn(emptied, y, scene)).toBe(terms.ite(c, terms.false, isIn(some, y, scene)));
  expect(follows([c], terms.apply("<=", lengthOf(emptied, scene), terms.int(0)))).toBe(true);
});

it("has only elements of its parts, and none that is not there", () => {
  const { scene, assumed, some } = sceneOf();
  const made = terms.constant("made", "Bool");
  const chosen = merge(terms, c, none, some);
  if (chosen.kind !== "opaque") throw new TypeError("a list that is not known was expected");
  choose(chosen, { name: "0", made }, scene);
  expect(follows([...assumed, c], terms.not(made))).toBe(true);
  expect(follows(assumed, terms.not(made))).toBe(false);
  expect(follows(assumed, made)).toBe(false);
});

it("has elements without the fields that can have no value", () => {
  const never = recordOf([{ name: "a", type: { kind: "never" }, optional: true }]);
  expect(fresh(terms, "r", never, () => undefined)).toEqual({ kind: "record", fields: new Map() });
});

it.each([
  "any(xs, x => any(xs, y => y > x))",
  "every(xs, x => any(xs, y => y > x))",
  "any(xs, x => every(xs, y => any(xs, z => z > x + y)))",
  "isSome(find(xs, x => any(xs, y => y > x)))",
  "any(xs, x => contains(xs, x + 1) and any(xs, y => contains(xs, y + x)))",
])("conditions about a list inside conditions about the same list end: %s", (condition) => {
  const read = readDocument(
    `effect-ir 1\ntool t.x()\nprogram (xs: list<int>) {\n  call t.x() when ${condition}\n}\n`,
  );
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  expect(walk(read.value.checked, new Terms()).facts).toHaveLength(1);
});
