/** Ways in which the world drifts from the state: each is noticed before the next call that relies on it. */
import { describe, expect, test } from "vitest";
import { isJsonObject, readJson } from "../../src/ir/index.ts";
import type { Kernel } from "../../src/kernel/index.ts";
import type { LoadedProbe } from "../../src/run/index.ts";
import { codesOf, entriesOf, kernelOn, verified } from "../run/lab.ts";
import { type Kind, programOn, resumeOn, runOn, World } from "./lab.ts";

interface Case {
  readonly kind: Kind;
  /** The state of the kernel, by the names of cells without the module. */
  readonly state?: Readonly<Record<string, unknown>>;
  readonly world?: Readonly<Record<string, unknown>>;
  readonly probe?: Partial<LoadedProbe>;
  readonly code: "FC4512" | "FC4513" | "FC4502";
  readonly key?: string;
}

const pending = new Promise<never>(() => {});
const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error("no");
    },
    getOwnPropertyDescriptor: () => {
      throw new Error("no");
    },
    ownKeys: () => {
      throw new Error("no");
    },
  },
);
const drift = { code: "FC4512" } as const;
const blind = { code: "FC4513" } as const;
const probing = (probe: LoadedProbe["probe"]) => ({ probe: { probe }, ...blind });
const telling = (keys: LoadedProbe["keys"]) => ({
  probe: { keys: keys as NonNullable<typeof keys> },
  ...blind,
});

const atStart: Readonly<Record<string, Case>> = {
  "a value that was set": { kind: "locked", state: { "[a]": false }, world: { "[a]": true }, ...drift },
  "an initial value": { kind: "locked", world: { "[a]": false }, ...drift },
  "an extra key": {
    kind: "locked",
    state: { "[a]": false },
    world: { "[a]": false, "[b]": false },
    key: "b",
    ...drift,
  },
  "a missing key": { kind: "locked", state: { "[a]": false }, ...drift },
  "a missing key that the state holds with its initial value": {
    kind: "locked",
    state: { "[a]": true },
    ...drift,
  },
  "a number by one": { kind: "level", state: { "[a]": 7 }, world: { "[a]": 8 }, ...drift },
  "a number in its last digit": {
    kind: "level",
    state: { "[a]": 0.3 },
    world: { "[a]": 0.1 + 0.2 },
    ...drift,
  },
  "the sign of a number": { kind: "level", state: { "[a]": 7 }, world: { "[a]": -7 }, ...drift },
  "the case of a text": { kind: "owner", state: { "[a]": "ann" }, world: { "[a]": "Ann" }, ...drift },
  "the normal form of a text": {
    kind: "owner",
    state: { "[a]": "\u00e9" },
    world: { "[a]": "e\u0301" },
    ...drift,
  },
  "a space at the end": { kind: "owner", state: { "[a]": "ann" }, world: { "[a]": "ann " }, ...drift },
  "another word": { kind: "rank", state: { "[1]": "high" }, world: { "[1]": "low" }, key: "1", ...drift },
  "a field of a record": {
    kind: "item",
    state: { "[a]": { name: "pen", count: 2 } },
    world: { "[a]": { name: "pen", count: 3 } },
    ...drift,
  },
  "the order of a list": {
    kind: "tags",
    state: { "[a]": ["a", "b"] },
    world: { "[a]": ["b", "a"] },
    ...drift,
  },
  "the length of a list": { kind: "tags", state: { "[a]": ["a"] }, world: { "[a]": ["a", "a"] }, ...drift },
  "a value where there was none": { kind: "maybe", state: { "[a]": null }, world: { "[a]": "x" }, ...drift },
  "none where there was a value": { kind: "maybe", state: { "[a]": "x" }, world: { "[a]": null }, ...drift },
  "a value of which nothing was assumed": {
    kind: "seen",
    state: { "[a]": true },
    world: { "[a]": false },
    ...drift,
  },
  "a state of another type": { kind: "locked", state: { "[a]": "yes" }, world: { "[a]": true }, ...drift },
  "a type: a text for a boolean": {
    kind: "locked",
    state: { "[a]": true },
    world: { "[a]": "true" },
    ...blind,
  },
  "a type: a number for a boolean": { kind: "locked", state: { "[a]": true }, world: { "[a]": 1 }, ...blind },
  "a type: null for a boolean": { kind: "locked", state: { "[a]": true }, world: { "[a]": null }, ...blind },
  "a type: a word that is not one of them": { kind: "rank", world: { "[1]": "highest" }, key: "1", ...blind },
  "a type: one field more": { kind: "item", world: { "[a]": { name: "", count: 0, more: 1 } }, ...blind },
  "a type: one field less": { kind: "item", world: { "[a]": { name: "" } }, ...blind },
  "a type: no number": { kind: "level", world: { "[a]": Number.NaN }, ...blind },
  "a type: beyond all numbers": { kind: "level", world: { "[a]": Number.POSITIVE_INFINITY }, ...blind },
  "a type: a function": { kind: "locked", world: { "[a]": () => true }, ...blind },
  "a type: an object that throws when it is read": { kind: "item", world: { "[a]": hostile }, ...blind },
  "a probe that throws": {
    kind: "locked",
    state: { "[a]": true },
    ...probing(() => {
      throw new Error("no such host");
    }),
  },
  "a probe that rejects": {
    kind: "locked",
    state: { "[a]": true },
    ...probing(() => Promise.reject("gone")),
  },
  "a probe that hangs": { kind: "locked", state: { "[a]": true }, ...probing(() => pending) },
  "keys that throw": {
    kind: "locked",
    ...telling(() => {
      throw new Error("no");
    }),
  },
  "keys that hang": { kind: "locked", ...telling(() => pending) },
  "keys of another type": { kind: "locked", ...telling(() => [1]) },
  "keys that are no list": { kind: "locked", ...telling(() => ({ length: 0 })) },
  "more keys than are looked at": { kind: "locked", ...telling(() => Array.from({ length: 1_001 }, String)) },
  "more cells than are looked at": {
    kind: "locked",
    state: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`[${i}]`, true])),
    ...blind,
  },
  "a cell whose key cannot be read": { kind: "rank", state: { "[first]": "low" }, ...blind },
};

const key = ({ kind, key = "a" }: Case) => (kind === "rank" ? Number(key) || 1 : JSON.stringify(key));

async function kernelOf({ kind, state = {} }: Case): Promise<Kernel> {
  const cells = Object.entries(state).map(([at, value]): [string, unknown] => [`${kind}.cell${at}`, value]);
  return kernelOn(undefined, { state: Object.fromEntries(cells) });
}

async function lastKinds(kernel: Kernel): Promise<readonly string[]> {
  return (await entriesOf(kernel)).map(({ bytes }) => {
    const read = readJson(new TextDecoder().decode(bytes));
    return read.ok && isJsonObject(read.value.value)
      ? `${read.value.value.kind} ${read.value.value.verdict}`
      : "";
  });
}

/** Nothing was done, and nothing but emergency actions is any more. */
async function expectStopped(kernel: Kernel): Promise<void> {
  expect(kernel.stopped?.reason).toBe("drift");
  expect(await lastKinds(kernel)).toContain("observe refused");
  expect((await kernel.execute({ id: "next" })).reasons.map(({ code }) => code)).toEqual(["stopped"]);
  expect(await verified(kernel)).toBe(true);
}

describe("before the first call a run notices", () => {
  test.each(Object.entries(atStart))("%s", async (name, one) => {
    const cells = Object.entries(one.world ?? {}).map(([at, value]): [string, unknown] => [
      `${one.kind}${at}`,
      value,
    ]);
    const world = new World(
      Object.fromEntries(cells),
      one.probe === undefined ? {} : { [one.kind]: one.probe },
    );
    const kernel = await kernelOf(one);
    const checked = programOn([one.kind], `await ${one.kind}.use({ key: ${key(one)} });`);
    expect(await codesOf(runOn(checked, world, { kernel }))).toEqual([one.code]);
    expect(world.done).toEqual([]);
    if (one.code === "FC4512") await expectStopped(kernel);
    else expect(kernel.stopped).toBeUndefined();
    // A world that agrees lets the run begin, or what the proof assumes does not.
    if (one.code !== "FC4512" || one.state === undefined || name === "a state of another type") return;
    const same = [...kernel.view().keys()].map((cell): [string, unknown] => [
      cell.replace(".cell", ""),
      JSON.parse(kernel.cell(cell) ?? ""),
    ]);
    const fine = await kernelOf(one);
    const codes = await codesOf(runOn(checked, new World(Object.fromEntries(same)), { kernel: fine }));
    expect([[], ["FC4502"]]).toContainEqual(codes);
    expect(fine.stopped).toBeUndefined();
  });

  test("a mark that a cell is unknown", async () => {
    const kernel = await kernelOn(undefined, { state: { "unknown locked.cell[a]": "a call failed" } });
    const world = new World({ "locked[a]": true });
    expect(
      await codesOf(runOn(programOn(["locked"], `await locked.use({ key: "a" });`), world, { kernel })),
    ).toEqual(["FC4502"]);
    expect(world.done).toEqual([]);
  });

  test("a mark that any cell may be unknown", async () => {
    const kernel = await kernelOn(undefined, { state: { "unknown locked.cell": "a call failed" } });
    const world = new World();
    expect(
      await codesOf(runOn(programOn(["locked"], `await locked.use({ key: "a" });`), world, { kernel })),
    ).toEqual(["FC4502"]);
    expect(world.done).toEqual([]);
  });

  test("a cell with a call in doubt", async () => {
    const kernel = await kernelOn();
    await kernel.reserve({ id: "other", effects: [{ key: "locked.cell[a]", op: "set", value: false }] });
    const world = new World({ "locked[a]": false });
    const checked = programOn(["locked"], `await locked.use({ key: "a" });`);
    expect(await codesOf(runOn(checked, world, { kernel }))).toEqual(["FC4513"]);
    expect(world.done).toEqual([]);
    expect(kernel.stopped).toBeUndefined();
  });

  test("two fluents at once", async () => {
    const kernel = await kernelOn();
    const world = new World({ "locked[a]": false, "level[a]": 1 });
    const checked = programOn(
      ["locked", "level"],
      `await locked.use({ key: "a" }); await level.use({ key: "a" });`,
    );
    const run = await runOn(checked, world, { kernel });
    expect(run.ok ? "" : run.problems[0]?.message).toBe(
      "the world differs from the state: `level.cell[a]` is `0` in the state and `1` in the world; " +
        "`locked.cell[a]` is `true` in the state and `false` in the world",
    );
    expect(world.done).toEqual([]);
    await expectStopped(kernel);
  });

  test("a state that others change all the time", async () => {
    const kernel = await kernelOn();
    let count = 0;
    const probe = async () => {
      await kernel.execute({ id: "other", effects: [{ key: "other", op: "set", value: ++count }] });
      return false;
    };
    const world = new World({ "locked[a]": false }, { locked: { probe } });
    const checked = programOn(["locked"], `await locked.use({ key: "a" });`);
    expect(await codesOf(runOn(checked, world, { kernel }))).toEqual(["FC4512"]);
    expect(world.done).toEqual([]);
  });

  test("drift of a run that is resumed", async () => {
    const kernel = await kernelOn();
    const checked = programOn(["locked"], `await locked.set({ key: "a" }); await locked.use({ key: "a" });`);
    const world = new World();
    // The process dies in the second call: nothing of it is settled.
    world.after = (call) => {
      world.cells.set("locked[a]", false);
      return call === "locked.use a" ? pending : undefined;
    };
    void runOn(checked, world, { kernel });
    while (world.done.length < 2) await new Promise((resolve) => setImmediate(resolve));
    for (const { receipt, action } of kernel.inDoubt())
      if (action === "c2") await kernel.release(receipt, "never made");
    world.cells.set("locked[a]", true);
    expect(await codesOf(resumeOn(checked, world, kernel))).toEqual(["FC4512"]);
    expect(world.done).toEqual(["locked.set a", "locked.use a"]);
    await expectStopped(kernel);
  });
});

describe("during a run it notices, if it looks around calls,", () => {
  const both = `await locked.set({ key: "a" }); await locked.use({ key: "a" });`;
  const afterCall = (work: (world: World, call: string) => void, world = new World()) => {
    world.after = (call) => {
      if (call === "locked.set a") world.cells.set("locked[a]", false);
      work(world, call);
    };
    return world;
  };

  const cases: readonly (readonly [
    name: string,
    body: string,
    world: World,
    done: readonly string[],
    code: string,
  ])[] = [
    [
      "a tool that did not do what it says",
      both,
      afterCall((world) => world.cells.delete("locked[a]")),
      ["locked.set a"],
      "FC4512",
    ],
    [
      "a tool that did something else",
      both,
      afterCall((world) => world.cells.set("locked[a]", true)),
      ["locked.set a"],
      "FC4512",
    ],
    [
      "the same at the last call",
      `await locked.set({ key: "a" });`,
      afterCall((world) => world.cells.set("locked[a]", true)),
      ["locked.set a"],
      "FC4512",
    ],
    [
      "a change between two calls",
      `await locked.set({ key: "a" }); await level.use({ key: "b" }); await locked.use({ key: "a" });`,
      afterCall((world, call) => call === "level.use b" && world.cells.set("locked[a]", true)),
      ["locked.set a", "level.use b"],
      "FC4512",
    ],
    [
      "a change of a cell that nobody has set",
      `await level.use({ key: "b" }); await locked.use({ key: "new" });`,
      afterCall((world, call) => call === "level.use b" && world.cells.set("locked[new]", false)),
      ["level.use b"],
      "FC4512",
    ],
    [
      "a change in a later turn of a loop",
      `for (const key of ["a", "b", "c"]) await locked.use({ key });`,
      afterCall((world, call) => call === "locked.use b" && world.cells.set("locked[c]", false)),
      ["locked.use a", "locked.use b"],
      "FC4512",
    ],
    [
      "a failed call that the program catches, and a change after it",
      `try { await level.use({ key: "b" }); } catch { } await locked.use({ key: "a" });`,
      afterCall((world, call) => {
        if (call !== "level.use b") return;
        world.cells.set("locked[a]", false);
        throw new Error("failed");
      }),
      ["level.use b"],
      "FC4512",
    ],
    [
      "a probe that fails from then on",
      both,
      afterCall((world) =>
        world.probes.set("locked.cell", { probe: () => Promise.reject(new Error("gone")), takes: false }),
      ),
      ["locked.set a"],
      "FC4513",
    ],
    [
      "a value of another type",
      both,
      afterCall((world) => world.cells.set("locked[a]", "open")),
      ["locked.set a"],
      "FC4513",
    ],
  ];
  test.each(cases)("%s", async (_, body, world, done, code) => {
    const kernel = await kernelOn();
    const checked = programOn(["locked", "level"], body);
    const run = await runOn(checked, world, { kernel, when: "calls" });
    expect(run.ok ? [run.value.kind, run.value.endedBy?.code] : run.problems).toEqual(["stopped", code]);
    expect(world.done).toEqual(done);
    if (code === "FC4512") await expectStopped(kernel);
  });

  test("nothing where the world agrees", async () => {
    const kernel = await kernelOn();
    const run = await runOn(
      programOn(["locked", "level"], both),
      afterCall(() => {}),
      { kernel, when: "calls" },
    );
    expect(run.ok && run.value.kind).toBe("done");
    expect(await lastKinds(kernel)).not.toContain("observe refused");
  });

  test("what would have been missed at the start alone", async () => {
    const world = afterCall((world, call) => call === "locked.set a" && world.cells.set("locked[a]", true));
    const run = await runOn(programOn(["locked", "level"], both), world);
    expect(run.ok && run.value.kind).toBe("done");
  });
});

test("a kernel that drift has stopped runs no program at all", async () => {
  const kernel = await kernelOn();
  await runOn(programOn(["locked"], `await locked.use({ key: "a" });`), new World({ "locked[a]": false }), {
    kernel,
  });
  const other = new World();
  expect(
    await codesOf(
      runOn(programOn(["level"], `await level.use({ key: "a" });`), other, { kernel, runId: "r2" }),
    ),
  ).toEqual(["FC4011"]);
  expect(other.done).toEqual([]);
});
