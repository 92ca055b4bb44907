/** `foreclaim plan run` with real tool modules, ledgers and signals, as users start it. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { build, foreclaim, root } from "../cli/built.ts";

const shop = `
import { appendFileSync } from "node:fs";
import { fluent, type Int, tool, type ToolCall } from "foreclaim";
import { note } from "../lib/notes";
import type { Payment } from "./payment.js";

/** How many of an item are in stock. */
export const stock = fluent<string, Int>({ initial: 3 });

export const reserve = tool({
  idempotent: true,
  requires: ({ item, count }) => count >= 1 && stock.get(item) >= count,
  effects: ({ item, count }) => [stock.set(item, stock.get(item) - count)],
  run: async ({ item, count }: { item: string; count: Int }, { key }: ToolCall): Promise<void> => {
    note(\`reserve \${count} \${item} \${key.slice(-7)}\`);
  },
  undo: async ({ item, count }) => note(\`put back \${count} \${item}\`),
});

export const pay = tool({
  cost: ({ amount }) => amount,
  ensures: (payment) => payment.id !== "",
  run: async ({ amount }: { amount: number }): Promise<Payment> => {
    note(\`pay \${amount}\`);
    console.log("paying");
    return { id: process.env.NO_ID ? "" : "p1" } satisfies Payment as Payment;
  },
});

export const ship = tool({
  run: async ({ payment }: { payment: string }, { signal, attempt }): Promise<void> => {
    note(\`ship \${payment} \${attempt}\`);
    if (process.env.SLOW) await new Promise<void>((done) => { setTimeout(done, 60_000); signal.addEventListener("abort", () => note("told to stop")); });
    if (process.env.FAIL) throw new Error("the truck broke down");
  },
});
appendFileSync("world.txt", "loaded\\n");
`;
const order = {
  actions: [
    { id: "reserve", type: "tool_call", tool: "shop.reserve", parameters: { item: "lamp", count: 2 } },
    {
      id: "pay",
      type: "tool_call",
      tool: "shop.pay",
      parameters: { amount: 12.5 },
      dependencies: ["reserve"],
    },
    { id: "ship", type: "tool_call", tool: "shop.ship", parameters: { payment: "$pay.output.id" } },
    { id: "end", type: "state_write", parameters: { key: "shipped", value: true }, dependencies: ["ship"] },
  ],
};

let folder = "";
beforeAll(() => build());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-run-"));
  put("tools/shop.ts", shop);
  put(
    "lib/notes.ts",
    'import { appendFileSync } from "node:fs";\nexport function note(text: string): void {\n  appendFileSync("world.txt", text + "\\n");\n}\n',
  );
  put("tools/payment.ts", "export interface Payment { id: string }\n");
  put("order.json", JSON.stringify(order));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function world(): string[] {
  const file = join(folder, "world.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
  foreclaim(["plan", "run", ...line.split(" ")], { cwd: folder, env });

/** Starts it, and waits until the world has such a line. */
async function started(line: string, until: string, env: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(root, "dist/cli/main.js"), "plan", "run", ...line.split(" ")],
    {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", ...env },
    },
  );
  let out = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  while (!world().includes(until)) {
    if (child.exitCode !== null) throw new Error(`it ended before: ${out}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { child, ended, out: () => out };
}

describe("with tool modules", () => {
  test("tools are loaded with all that they import, and called", async () => {
    const { code, out, err } = await run("order.json");
    expect([err, code]).toEqual(["", 0]);
    expect(out).toBe(
      "done         reserve\npaying\ndone         pay\ndone         ship\ndone         end\n\ndone  4 actions\nshipped = true\nshop.stock[lamp] = 1\n",
    );
    expect(world()).toEqual(["loaded", "reserve 2 lamp reserve", "pay 12.5", "ship p1 1"]);
  });

  test("what tools print is not in the answer", async () => {
    const { out, err } = await run("order.json --json");
    expect(JSON.parse(out)).toMatchObject({ outcome: "done" });
    expect(err).toBe("paying\n");
  });

  test("a failure is rolled back and made up for", async () => {
    const { code, out } = await run("order.json", { FAIL: "1" });
    expect(code).toBe(1);
    expect(out).toContain("error FC3312: `shop.ship` failed for `ship`: the truck broke down");
    expect(out).toContain("nothing made up for what pay did in the world");
    expect(world().slice(-2)).toEqual(["ship p1 1", "put back 2 lamp"]);
  });

  test("what a tool gives is held to what its module says", async () => {
    const { code, out } = await run("order.json --json", { NO_ID: "1" });
    expect([code, JSON.parse(out).ended_by.code]).toEqual([1, "FC3314"]);
  });

  test("modules are not executed for a plan that is not valid", async () => {
    put("state.json", '{"shop.stock[lamp]": 1}');
    const { code, out } = await run("order.json --state state.json");
    expect([code, world()]).toEqual([1, []]);
    expect(out).toContain("error FC3202");
  });

  test.each([
    ['throw new Error("no database");', "no database"],
    ["enum Colour { Red }\nconsole.log(Colour);", "an `enum` is more than a type"],
    ['import { gone } from "../lib/notes.ts";\nconsole.log(gone);', "gone"],
  ])("a module that cannot be loaded: %s", async (more, why) => {
    put("tools/shop.ts", `${shop}\n${more}`);
    const { code, err } = await run("order.json");
    expect(code).toBe(2);
    expect(err).toMatch(/error FC(9011|2\d{3})/);
    expect(err).toContain(why);
    expect(world().filter((line) => line.startsWith("reserve"))).toEqual([]);
  });
});

test("the example can be run", async () => {
  const { code, out } = await foreclaim(["plan", "run", "examples/bank/rent.json", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    outcome: "done",
    state: {
      rent: { paid: 850, bill: { due: 120.25, payee: "Acme" } },
      "bank.frozen[rent]": true,
      "bank.taken[savings]": 850,
    },
  });
});

describe("on a ledger", () => {
  beforeEach(async () => {
    await foreclaim(["kernel", "init", "l.db", "--budget", "usd=20"], { cwd: folder });
  });
  const status = async () =>
    JSON.parse((await foreclaim(["kernel", "status", "l.db", "--json"], { cwd: folder })).out);

  test("a run is charged, kept, and not done twice", async () => {
    expect((await run("order.json --ledger l.db --run r1")).code).toBe(0);
    expect((await run("order.json --ledger l.db --run r1")).code).toBe(0);
    expect(world().filter((line) => line.startsWith("pay"))).toHaveLength(1);
    expect(await status()).toMatchObject({ budgets: { usd: { net: "12.5" } }, state: { shipped: true } });
    put("order.json", JSON.stringify({ actions: order.actions.slice(0, 1) }));
    const other = await run("order.json --ledger l.db --run r1");
    expect([other.code, other.err]).toEqual([
      2,
      expect.stringContaining("FC3305: the run `r1` is of another plan"),
    ]);
  });

  test("killed in a call: the next one stops, and goes on once somebody has told what happened", async () => {
    const { child, ended } = await started("order.json --ledger l.db --run r1", "ship p1 1", { SLOW: "1" });
    child.kill("SIGKILL");
    await ended;
    const stopped = await run("order.json --ledger l.db --run r1");
    expect(stopped.code).toBe(1);
    expect(stopped.out).toContain("and run the plan again with `--run r1`");
    const [receipt = ""] = /r\d+-[0-9a-f]{64}/.exec(stopped.out) ?? [];
    await foreclaim(["kernel", "resolve", "l.db", receipt, "--settle"], { cwd: folder });
    const { code, out } = await run("order.json --ledger l.db --run r1");
    expect([code, out]).toEqual([0, expect.stringContaining("done         ship  in an earlier process")]);
    expect(world().filter((line) => /^(ship|pay)/.test(line))).toHaveLength(2);
  });

  test("Ctrl-C rolls back, and does not wait for a call that does not listen", async () => {
    const { child, ended, out } = await started("order.json --ledger l.db --run r1", "ship p1 1", {
      SLOW: "1",
    });
    child.kill("SIGINT");
    expect(await ended).toBe(1);
    expect(out()).toContain("error FC3317: the run was interrupted");
    expect(world().slice(-2)).toEqual(["told to stop", "put back 2 lamp"]);
    expect(await status()).toMatchObject({
      state: {},
      inDoubt: [{ action: "ship" }],
      budgets: { usd: { net: "12.5" } },
    });
  });
});
