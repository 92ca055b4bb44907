import { describe, expect, test } from "vitest";
import { readDocument } from "../read.ts";
import { none, some, type Value } from "../value.ts";
import { AnyOtherKey, Unknown } from "./partly.ts";
import { State } from "./state.ts";

const read = readDocument(
  "effect-ir 1\nfluent known[string]: int = 5\nfluent open[int]: json = unknown\nfluent maybe[bool]: option<int> = none\nprogram () {}",
);
if (!read.ok) throw new Error("a document was refused");
const { checked } = read.value;
const initial = () => State.initial(checked);

test("every key holds the initial value, or nothing that is known", () => {
  expect(initial().read("known", "anything")).toBe(5n);
  expect(initial().read("maybe", true)).toBe(none);
  expect(initial().read("open", 0n)).toBeInstanceOf(Unknown);
  expect([...initial().cells("known")]).toEqual([]);
});

describe("a write", () => {
  test.each<[string, Value, Value]>([
    ["known", "a", 0n],
    ["open", 1n, null],
    ["open", 1n, false],
    ["open", 1n, ""],
    ["maybe", false, some(0n)],
    ["maybe", false, none],
  ])("to %s at %s of %s is read back, there and nowhere else", (fluent, key, value) => {
    const state = initial();
    const before = state.read(fluent, key === "a" ? "b" : key === 1n ? 2n : true);
    state.write({ update: 0, fluent, key, value });
    expect(state.read(fluent, key)).toEqual(value);
    expect(state.read(fluent, key === "a" ? "b" : key === 1n ? 2n : true)).toEqual(before);
  });

  test("of a key that is written again counts no longer", () => {
    const state = initial();
    state.write({ update: 0, fluent: "known", key: "a", value: 1n });
    state.writeMaybe({ update: 0, fluent: "known", key: "a", value: 2n });
    expect(state.read("known", "a")).toBeInstanceOf(Unknown);
    state.write({ update: 0, fluent: "known", key: "a", value: 3n });
    expect(state.read("known", "a")).toBe(3n);
    expect(Array.from(state.cells("known"), ({ key }) => key)).toEqual(["a"]);
  });

  test("to a key that is not known may have changed everything", () => {
    const state = initial();
    state.write({ update: 0, fluent: "known", key: "a", value: 1n });
    state.write({ update: 0, fluent: "known", key: new Unknown("which"), value: 2n });
    expect(state.read("known", "a")).toBeInstanceOf(Unknown);
    expect(state.read("known", "b")).toBeInstanceOf(Unknown);
    expect(state.read("maybe", true)).toBe(none);
    state.write({ update: 0, fluent: "known", key: "b", value: 3n });
    expect(state.read("known", "b")).toBe(3n);
  });

  test("does not show in a copy that was made before", () => {
    const state = initial();
    const copy = state.copy();
    state.write({ update: 0, fluent: "known", key: "a", value: 1n });
    expect(copy.read("known", "a")).toBe(5n);
    copy.write({ update: 0, fluent: "known", key: new Unknown("which"), value: 1n });
    expect(state.read("known", "b")).toBe(5n);
  });
});

test("cells that were given come first", () => {
  const state = State.initial(checked, [{ fluent: "known", key: "a", value: 7n }]);
  expect(state.read("known", "a")).toBe(7n);
  expect(state.read("known", "b")).toBe(5n);
});

test("a key that is any but those written holds the rest, and differs from those", () => {
  const state = initial();
  state.write({ update: 0, fluent: "known", key: "a", value: 1n });
  const others = new AnyOtherKey();
  expect(state.read("known", others)).toBe(5n);
  expect(others.compared).toEqual(["a"]);
  expect(state.read("known", new Unknown("which"))).toBeInstanceOf(Unknown);
});

test("there are no fluents but those of the document", () => {
  expect(() => initial().read("toString", "a")).toThrow(TypeError);
  expect(() => initial().write({ update: 0, fluent: "other", key: "a", value: 1n })).toThrow(TypeError);
});
