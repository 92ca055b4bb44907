/** Processes that run a plan on a SQLite file, killed at random instants: the next one goes on, and nothing happens twice. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { Kernel, verify } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import { randomFrom } from "../support/random.ts";
import { atLeast, runs, seed as seedAsked } from "../support/runs.ts";
import { type ActionData, call, write } from "./plans.ts";

const programs = join(ROOT, `node_modules/.cache/plan-child-${process.pid}`);
let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-plan-"));
  // Node 20 cannot run it as it is, and below node_modules it finds its packages.
  await build({
    input: join(ROOT, "tests/support/plan-child.ts"),
    platform: "node",
    external: ["@photostructure/sqlite", "pg"],
    output: { dir: programs, format: "esm", entryFileNames: "child.mjs" },
    logLevel: "silent",
  });
});
afterAll(() => {
  for (const one of [folder, programs]) rmSync(one, { recursive: true, force: true });
});

const steps = (tool: (i: number) => string, count: number): ActionData[] =>
  Array.from({ length: count }, (_, i) =>
    call(`a${i}`, tool(i), {
      parameters: { sets: `k${i}`, to: i, ...(i >= 3 && { after: `$a${i - 3}.output` }) },
    }),
  );
const mixed = (i: number) => (i % 2 === 0 ? "once" : "keyed");
const goesWell = [
  write("start", "status", "begun"),
  ...steps(mixed, 12),
  write("end", "status", "over", { dependencies: ["a9", "a10", "a11"] }),
];
const goesWrong = [
  write("start", "status", "begun"),
  ...steps(() => "keyed", 6),
  call("bad", "broken", { dependencies: ["a3", "a4", "a5"] }),
];

interface Answer {
  readonly outcome: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly in_doubt: readonly {
    readonly action_id: string;
    readonly receipt: string;
  }[];
}

interface Place {
  readonly url: string;
  readonly plan: string;
  readonly world: string;
}

async function placeFor(name: string, actions: readonly ActionData[]): Promise<Place> {
  const at = (file: string) => join(folder, `${name}-${file}`);
  writeFileSync(at("plan.json"), JSON.stringify({ actions }));
  const url = `sqlite:${at("ledger.db")}`;
  await onKernel(url, async () => {}, { policy: { budgets: { usd: 100 } }, state: { status: "new" } });
  return { url, plan: at("plan.json"), world: at("world.txt") };
}

async function onKernel<T>(url: string, work: (kernel: Kernel) => Promise<T>, more: object = {}): Promise<T> {
  const ledger = await openLedger(url);
  try {
    const opened = await Kernel.open({ ledger, clock: Date.now, ...more });
    if (!opened.ok) throw new Error(opened.problem.message);
    return await work(opened.value);
  } finally {
    await ledger.close();
  }
}

/** Undefined if it was killed: so long after it was begun, or after so many tools were. */
async function child(
  { url, plan, world }: Place,
  killAfter: (begun: number) => number | undefined,
): Promise<Answer | undefined> {
  const process_ = spawn(process.execPath, [join(programs, "child.mjs"), url, plan, world, "r1"]);
  const out: Buffer[] = [];
  let [said, begun] = ["", 0];
  const kill = (ms: number | undefined): void => {
    if (ms !== undefined) void sleep(ms).then(() => process_.kill("SIGKILL"));
  };
  process_.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  process_.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    for (const _ of chunk.toString().matchAll(/begun/g)) kill(killAfter(++begun));
  });
  kill(killAfter(0));
  const code = await new Promise<number | null>((resolve) => process_.once("close", resolve));
  if (code === 0) return JSON.parse(Buffer.concat(out).toString());
  if (code !== null) throw new Error(said);
  return undefined;
}

/** Runs to an end through kills; a person who is asked about what is in doubt looks at the world. */
async function throughKills(
  place: Place,
  chance: () => number,
  kills: number,
): Promise<{ readonly answer: Answer; readonly killed: number }> {
  let killed = 0;
  for (;;) {
    const at = killed < kills ? Math.floor(chance() * 4) : Number.POSITIVE_INFINITY;
    const wait = chance() * (at === 0 ? 250 : 12);
    const answer = await child(place, (begun) => (begun === at ? wait : undefined));
    if (answer === undefined) {
      killed++;
      continue;
    }
    if (answer.outcome !== "in doubt") return { answer, killed };
    await onKernel(place.url, async (kernel) => {
      for (const { action_id, receipt } of answer.in_doubt) {
        const isDone = linesOf(place).some((line) => line.startsWith(`once ${action_id} `));
        const { verdict } = isDone
          ? await kernel.settle(receipt, { outcome: { returned: true, result: `once ${action_id}` } })
          : await kernel.release(receipt, "the world knows nothing of it");
        expect(verdict).toBe("allowed");
      }
    });
  }
}

function linesOf({ world }: Place): string[] {
  return existsSync(world) ? readFileSync(world, "utf8").trim().split("\n") : [];
}

async function intact({ url }: Place): Promise<void> {
  const ledger = await openLedger(url);
  const entries = async function* () {
    for (let from = 1; ; from += 500) {
      const page = await ledger.read("main", from, 500);
      yield* page;
      if (page.length < 500) return;
    }
  };
  const all = [];
  for await (const one of entries()) all.push(one);
  expect(await verify(all)).toMatchObject({ ok: true });
  await ledger.close();
}

const lanes = 3;
const killsPerLane = runs(6);
const seed = seedAsked() ?? Math.floor(Math.random() * 2 ** 31);

describe(`killed at random instants (seed ${seed})`, () => {
  test("a plan that goes well comes to its end, and nothing is done twice", async () => {
    const killed = await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        const place = await placeFor(`well${lane}`, goesWell);
        const { answer, killed: count } = await throughKills(place, randomFrom(seed + lane), killsPerLane);
        expect(["done", "over"]).toContain(answer.outcome);
        await onKernel(place.url, async (kernel) => {
          expect([kernel.cell("status"), kernel.cell("s[k11]")]).toEqual(['"over"', "11"]);
        });
        const lines = linesOf(place);
        for (let i = 0; i < 12; i++) {
          const mine = lines.filter((line) => line.split(" ")[1] === `a${i}`);
          expect(new Set(mine).size, mine.join()).toBe(1);
          if (mixed(i) === "once") expect(mine, lines.join("\n")).toHaveLength(1);
        }
        await onKernel(place.url, async (kernel) => {
          expect(kernel.status()).toMatchObject({
            inDoubt: [],
            budgets: { usd: { net: "12", reserved: "0" } },
          });
        });
        await intact(place);
        return count;
      }),
    );
    expect(killed.reduce((a, b) => a + b, 0)).toBeGreaterThan(atLeast(lanes * 2));
  });

  test("one that must be taken back is taken back, all of it", async () => {
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        const place = await placeFor(`wrong${lane}`, goesWrong);
        const { answer } = await throughKills(
          place,
          randomFrom(seed + 100 + lane),
          Math.ceil(killsPerLane / 2),
        );
        expect(["stopped", "over"]).toContain(answer.outcome);
        if (answer.outcome === "stopped") expect(answer.state).toEqual({ status: "new" });
        const undone = new Set(linesOf(place).filter((line) => line.startsWith("undo ")));
        const done = new Set(linesOf(place).filter((line) => line.startsWith("keyed ")));
        expect(undone.size).toBe(done.size);
        await onKernel(place.url, async (kernel) => {
          // Only the broken call, which may have had its effect, is paid for.
          const { budgets, inDoubt } = kernel.status();
          expect(inDoubt.filter(({ key }) => !key?.startsWith("undo "))).toEqual([]);
          if (inDoubt.length === 0) expect(budgets).toMatchObject({ usd: { net: "1", reserved: "0" } });
        });
        await intact(place);
      }),
    );
  });
});
