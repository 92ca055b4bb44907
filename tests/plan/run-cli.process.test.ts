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

/** Returns the output about the run itself, without the question before it. */
const told = (out: string) => out.slice(out.indexOf("\nledger  "));

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
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
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
    const { code, out, err } = await run("order.json --yes");
    expect([err, code]).toEqual(["", 0]);
    expect(told(out)).toBe(
      `
ledger  none: nothing is kept
done         shop.reserve (reserve)
paying
done         shop.pay (pay)
done         shop.ship (ship)
done         plan.write:end (end)

done  4 calls
`,
    );
    expect(world()).toEqual(["loaded", "reserve 2 lamp reserve", "pay 12.5", "ship p1 1"]);
  });

  test("without a decision nothing is called, and no module is executed", async () => {
    const { code, err } = await run("order.json");
    expect([code, world()]).toEqual([3, []]);
    expect(err).toContain("nothing was run");
  });

  test("what is not proved is not asked about, and nothing is called", async () => {
    put(
      "tools/limits.ts",
      'import { contract } from "foreclaim";\nimport { pay } from "./shop";\nexport const most = contract((n: number) => pay.sum((p) => p.amount) <= n);\n',
    );
    const { code, out } = await run("order.json --yes --guarantee limits.most(12)");
    expect([code, world()]).toEqual([1, []]);
    expect(out).toContain("refuted  limits.most(12)");
    const held = await run("order.json --yes --guarantee limits.most(12.5)");
    expect([held.code, world().at(-1)]).toEqual([0, "ship p1 1"]);
    put("order.json", JSON.stringify({ ...order, guarantees: ["limits.most(12)"] }));
    expect((await run("order.json --yes")).code).toBe(1);
  });

  test("what tools print is not in the answer", async () => {
    const { out, err } = await run("order.json --yes --json");
    expect(JSON.parse(out)).toMatchObject({ outcome: "done" });
    expect(err).toBe("paying\n");
  });

  test("a failure is taken back", async () => {
    const { code, out } = await run("order.json --yes", { FAIL: "1" });
    expect(code).toBe(4);
    expect(out).toContain("error FC1504: `shop.ship` failed: the truck broke down");
    expect(out).toContain("`shop.pay` (`pay`) was not undone: its tool has no `undo`");
    expect(world().slice(-2)).toEqual(["ship p1 1", "put back 2 lamp"]);
  });

  test("what a tool gives is held to what its module says", async () => {
    const { code, out } = await run("order.json --yes --json", { NO_ID: "1" });
    expect([code, JSON.parse(out).problems[0].code]).toEqual([4, "FC1506"]);
  });

  test("modules are not executed for a plan that is not valid", async () => {
    put("state.json", '{"shop.stock[lamp]": 1}');
    const { code, err } = await run("order.json --yes --state state.json");
    expect([code, world()]).toEqual([4, []]);
    // A proof assumes the initial values of fluents.
    expect(err).toContain("error FC4502");
  });

  test.each([
    ['throw new Error("no database");', "no database"],
    ["enum Colour { Red }\nconsole.log(Colour);", "an `enum` is more than a type"],
    ['import { gone } from "../lib/notes.ts";\nconsole.log(gone);', "gone"],
  ])("a module that cannot be loaded: %s", async (more, why) => {
    put("tools/shop.ts", `${shop}\n${more}`);
    const { code, err } = await run("order.json --yes");
    expect([1, 2]).toContain(code);
    expect(err).toMatch(/error FC(9011|2\d{3})/);
    expect(err).toContain(why);
    expect(world().filter((line) => line.startsWith("reserve"))).toEqual([]);
  });
});

describe("the example", () => {
  const rent = (...more: readonly string[]) =>
    foreclaim(["plan", "run", join(root, "examples/bank/rent.json"), ...more], { cwd: folder });

  test("without a decision calls nothing", async () => {
    const { code, out, err } = await rent("--json");
    expect([code, JSON.parse(out).outcome]).toEqual([3, "not approved"]);
    expect(err).not.toContain("rent is frozen");
  });

  test("is proved for what coverage requires, and runs", async () => {
    const { code, out } = await rent("--yes", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ outcome: "done", guarantees_at_end: ["holds"] });
  });

  test("with a ledger, its trace verifies", async () => {
    const { code } = await rent("--yes", "--ledger", "rent.db", "--budget", "2000");
    expect(code).toBe(0);
    const verified = await foreclaim(["trace", "verify", "rent.db"], { cwd: folder });
    expect(verified.code).toBe(0);
    const { state, budgets } = JSON.parse(
      (await foreclaim(["kernel", "status", "rent.db", "--json"], { cwd: folder })).out,
    );
    expect(state).toMatchObject({
      rent: { paid: 850, bill: { due: 120.25, payee: "Acme" } },
      "bank.frozen[rent]": true,
      "bank.taken[savings]": 850,
    });
    expect(Object.values(budgets)).toMatchObject([{ net: "850" }]);
  });

  test("a policy decides where it has a rule", async () => {
    put(
      "policy.json",
      JSON.stringify({
        version: 1,
        rules: [
          {
            name: "rent",
            decision: "auto_approved",
            whenProven: ["bank.maxSpend(3400)", "bank.onlyAccount('rent')"],
            tools: ["bank.bill", "bank.transfer", "bank.withdraw", "bank.freeze"],
            reason: "the rent, tried up to four times",
          },
        ],
      }),
    );
    const { code, out } = await rent("--approve", "policy", "--policy", "policy.json", "--json");
    expect([code, JSON.parse(out).decision]).toEqual([0, "auto_approved"]);
  });
});

describe("on a ledger", () => {
  beforeEach(async () => {
    await foreclaim(["kernel", "init", "l.db", "--budget", "usd=20"], { cwd: folder });
  });
  const status = async () =>
    JSON.parse((await foreclaim(["kernel", "status", "l.db", "--json"], { cwd: folder })).out);
  const runIdIn = (text: string) => /run ([0-9a-f]{12})/.exec(text)?.[1] ?? "";

  test("a run is charged and kept, and nothing is written without a decision", async () => {
    const before = await status();
    expect((await run("order.json --ledger l.db")).code).toBe(3);
    expect(await status()).toEqual(before);
    expect((await run("order.json --yes --ledger l.db")).code).toBe(0);
    expect(await status()).toMatchObject({ budgets: { usd: { net: "12.5" } }, state: { shipped: true } });
  });

  test("killed in a call: the next one stops, and goes on once somebody has told what happened", async () => {
    const { child, ended, out } = await started("order.json --yes --ledger l.db", "ship p1 1", {
      SLOW: "1",
    });
    child.kill("SIGKILL");
    await ended;
    const runId = runIdIn(out());
    const stopped = await run(`order.json --ledger l.db --resume ${runId}`);
    expect(stopped.code).toBe(4);
    expect(stopped.out).toContain(`and resume with \`--resume ${runId}\``);
    const [receipt = ""] = /r\d+-[0-9a-f]{64}/.exec(stopped.out) ?? [];
    await foreclaim(["kernel", "resolve", "l.db", receipt, "--settle"], { cwd: folder });
    // Nobody changes what was approved, not even a time.
    put("order.json", JSON.stringify({ ...order, context: { other: true } }));
    const changed = await run(`order.json --ledger l.db --resume ${runId}`);
    expect([changed.code, changed.err]).toEqual([4, expect.stringContaining("FC4004")]);
    put("order.json", JSON.stringify(order));
    const { code } = await run(`order.json --ledger l.db --resume ${runId}`);
    expect([code, (await status()).state.shipped]).toEqual([0, true]);
    expect(world().filter((line) => /^(ship|pay)/.test(line))).toHaveLength(2);
  });

  test("Ctrl-C does not wait for a call that does not listen, which is in doubt", async () => {
    const { child, ended } = await started("order.json --yes --ledger l.db", "ship p1 1", { SLOW: "1" });
    child.kill("SIGINT");
    expect(await ended).toBe(4);
    expect(world().at(-1)).toBe("told to stop");
    const { inDoubt } = await status();
    expect(inDoubt.map(({ action }: { readonly action: string }) => action)).toContain("ship");
  });
});
