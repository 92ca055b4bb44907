/** Sessions of ordinary functions: what is refused, when, and that nothing of it happens. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CallRefused, guard, NotOpened } from "../../src/guard.ts";
import { NotDone } from "../../src/kernel.ts";
import { deskProject } from "../support/desk.ts";

let folder = "";
beforeAll(() => {
  folder = deskProject();
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Mail {
  readonly to: string;
  readonly text: string;
}

function desk() {
  const made: string[] = [];
  return {
    made,
    desk: {
      send: async ({ to }: Mail) => void made.push(`send ${to}`),
      pay: async ({ to, amount }: { to: string; amount: number }) => void made.push(`pay ${to} ${amount}`),
      ask: async ({ about }: { about: string }) => {
        made.push(`ask ${about}`);
        return about !== "eve";
      },
      unlock: async ({ door }: { door: string }) => void made.push(`unlock ${door}`),
      contacts: async () => [{ name: "Ann", address: "ann@x.io" }],
    },
  };
}

async function opened(guarantees: readonly string[], more: Partial<Parameters<typeof guard>[1]> = {}) {
  const { made, desk: functions } = desk();
  const session = await guard({ desk: functions }, { folder, guarantees, ...more });
  return { made, ...session, ...session.tools.desk };
}

async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "made";
  } catch (thrown) {
    if (thrown instanceof CallRefused) return thrown.refusals.map(({ code }) => code).join();
    throw thrown;
  }
}

test("a call that would break a standing guarantee is not made, and its sentence is told", async () => {
  const { made, send } = await opened(["desk.only(['ann@x.io'])", "desk.atMostTo('ann@x.io', 2)"]);
  await send({ to: "ann@x.io", text: "hello" });
  const refused = await send({ to: "eve@x.io", text: "hello" }).catch((thrown) => thrown);
  expect(refused).toBeInstanceOf(CallRefused);
  expect(refused.refusals).toEqual([
    {
      code: "FC4603",
      guarantee: 'desk.only(["ann@x.io"])',
      sentence: expect.stringContaining("ann@x.io"),
      message: expect.stringContaining('would break the standing guarantee `desk.only(["ann@x.io"])`: '),
    },
  ]);
  // What was refused does not count.
  expect(await refusalOf(send({ to: "ann@x.io", text: "again" }))).toBe("made");
  expect(await refusalOf(send({ to: "ann@x.io", text: "once more" }))).toBe("FC4603");
  expect(made).toEqual(["send ann@x.io", "send ann@x.io"]);
});

test("order and results of earlier calls count", async () => {
  const { pay, ask, made } = await opened(["desk.agreed()"]);
  expect(await refusalOf(pay({ to: "shop", amount: 1 }))).toBe("FC4603");
  await ask({ about: "shop" });
  await ask({ about: "eve" });
  expect(await refusalOf(pay({ to: "shop", amount: 1 }))).toBe("made");
  expect(await refusalOf(pay({ to: "eve", amount: 1 }))).toBe("FC4603");
  expect(await refusalOf(pay({ to: "other", amount: 1 }))).toBe("FC4603");
  expect(made).toEqual(["ask shop", "ask eve", "pay shop 1"]);
});

test("what a tool returned is known to later calls", async () => {
  const { send, contacts } = await opened(["desk.known()"]);
  expect(await refusalOf(send({ to: "ann@x.io", text: "" }))).toBe("FC4603");
  await contacts(undefined);
  expect(await refusalOf(send({ to: "ann@x.io", text: "" }))).toBe("made");
  expect(await refusalOf(send({ to: "eve@x.io", text: "" }))).toBe("FC4603");
});

test("two calls at the same time cannot both take what is left for one", async () => {
  const { send, made } = await opened(["desk.atMostTo('ann@x.io', 1)"], { budget: "10" });
  const both = [send({ to: "ann@x.io", text: "a" }), send({ to: "ann@x.io", text: "b" })];
  expect((await Promise.all(both.map(refusalOf))).sort()).toEqual(["FC4603", "made"]);
  expect(made).toEqual(["send ann@x.io"]);
});

test("a call that failed counts, and one that was not done does not", async () => {
  const made: string[] = [];
  const send = async ({ text }: Mail) => {
    made.push(text);
    if (text === "fails") throw new Error("no answer");
    if (text === "not done") throw new NotDone("nothing was sent");
  };
  const { tools } = await guard({ desk: { send } }, { folder, guarantees: ["desk.atMostTo('ann@x.io', 1)"] });
  const to = "ann@x.io";
  await expect(tools.desk.send({ to, text: "not done" })).rejects.toThrow("nothing was sent");
  await expect(tools.desk.send({ to, text: "fails" })).rejects.toThrow("no answer");
  expect(await refusalOf(tools.desk.send({ to, text: "again" }))).toBe("FC4603");
  expect(made).toEqual(["not done", "fails"]);
});

test("conditions of the tool and its types hold as in a run", async () => {
  const { pay, ask, made } = await opened([]);
  expect(await refusalOf(pay({ to: "shop", amount: 0 }))).toBe("FC1502");
  // @ts-expect-error: of the wrong type
  expect(await refusalOf(pay({ to: "shop", amount: "3" }))).toBe("FC4602");
  // @ts-expect-error: there is no such argument
  expect(await refusalOf(ask({ about: "x", and: "y" }))).toBe("FC4602");
  expect(made).toEqual([]);
  const { tools } = await guard({ desk: { ask: async () => "yes" } }, { folder });
  await expect(tools.desk.ask({ about: "x" })).rejects.toThrow("returned a wrong value");
});

describe("guarantees that cannot stand are refused when the session opens, with the reason", () => {
  test.each([
    ["desk.reaches('ann@x.io')", "it does not hold before the first call: it asks for something to be done"],
    ["desk.speaks()", "it does not hold before the first call: it asks for something to be done"],
    ["desk.lockedAtEnd('front')", "it is about the state at the end"],
    ["desk.allLocked()", "it is about the state at the end"],
    ["desk.ownWords()", "it is about provenance"],
    ["desk.sameText('a', 'b')", "it compares calls with one another"],
  ])("%s", async (guarantee, why) => {
    const opening = opened([guarantee]);
    await expect(opening).rejects.toThrow(NotOpened);
    await expect(opening).rejects.toThrow(`cannot stand for a session: ${why}`);
  });

  test.each([
    ["desk.nothing()", "there is no contract `desk.nothing`"],
    ["desk.only('ann')", "must be `string[]`"],
    ["noise", "is no contract with its arguments"],
  ])("%s", async (guarantee, why) => {
    await expect(opened([guarantee])).rejects.toThrow(why);
  });

  test("a function that no tool module declares", async () => {
    const opening = guard({ desk: { shout: async () => {} } }, { folder });
    await expect(opening).rejects.toThrow("no tool module declares `desk.shout`");
  });
});

test("a state that must hold always is kept", async () => {
  const { unlock, made } = await opened(["desk.onlyOpens(['front'])"]);
  expect(await refusalOf(unlock({ door: "back" }))).toBe("FC4603");
  expect(await refusalOf(unlock({ door: "front" }))).toBe("made");
  expect(made).toEqual(["unlock front"]);
});

test("observing refuses nothing, tells what would have been refused, and counts only what would have passed", async () => {
  const told: string[] = [];
  const { send, made } = await opened(["desk.once()"], {
    observe: true,
    onRefusal: (tool, refusals) => told.push(`${tool} ${refusals[0]?.guarantee}`),
  });
  for (const to of ["ann@x.io", "ann@x.io", "bob@x.io", "bob@x.io"]) await send({ to, text: "" });
  expect(made).toHaveLength(4);
  expect(told).toEqual(["desk.send desk.once()", "desk.send desk.once()"]);
});

test("the trace says what was made and refused", async () => {
  const ledger = join(folder, "session.db");
  const { send, kernel, close } = await opened(["desk.only(['ann@x.io', 'bob@x.io'])"], {
    ledger,
    id: "s1",
  });
  expect(await refusalOf(send({ to: "ann@x.io", text: "" }))).toBe("made");
  expect(await refusalOf(send({ to: "eve@x.io", text: "" }))).toBe("FC4603");
  const entries = (await kernel?.entries(1, 100)) ?? [];
  const texts = entries.map(({ bytes }) => Buffer.from(bytes).toString("utf8"));
  expect(texts.some((text) => text.includes('"session":"s1"') && text.includes("ann@x.io"))).toBe(true);
  expect(texts.some((text) => text.includes("would break the standing guarantee"))).toBe(true);
  await close();
});

test("a budget holds for all calls together", async () => {
  writeFileSync(
    join(folder, "tools/shop.ts"),
    `import { tool } from "foreclaim";
export const buy = tool({ cost: ({ price }) => price, run: async ({ price }: { price: number }): Promise<void> => {} });
`,
  );
  const { tools } = await guard({ "shop.buy": async (_: { price: number }) => {} }, { folder, budget: "5" });
  expect(await refusalOf(tools["shop.buy"]({ price: 3 }))).toBe("made");
  expect(await refusalOf(tools["shop.buy"]({ price: 3 }))).toBe("FC4505");
  expect(await refusalOf(tools["shop.buy"]({ price: 2 }))).toBe("made");
});

test("a policy decides about each call", async () => {
  const policy = join(folder, "policy.json");
  const rules = [
    {
      name: "ours",
      decision: "auto_approved",
      whenProven: ["desk.inside('x.io')"],
      reason: "it stays inside",
    },
    {
      name: "no eve",
      decision: "auto_rejected",
      unlessProven: ["desk.noneTo('eve@x.io')"],
      reason: "not eve",
    },
  ];
  writeFileSync(policy, JSON.stringify({ version: 1, rules }));
  const { send, made } = await opened([], { policy });
  expect(await refusalOf(send({ to: "ann@x.io", text: "" }))).toBe("made");
  await expect(send({ to: "eve@x.io", text: "" })).rejects.toThrow("the rule `no eve` of the policy rejects");
  await expect(send({ to: "ann@y.io", text: "" })).rejects.toThrow("no rule of the policy approves");
  expect(made).toEqual(["send ann@x.io"]);
});
