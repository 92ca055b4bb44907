/**
 * Processes that run a document with calls at the same time, on a SQLite file, killed at random instants: the next one goes
 * on, and nothing happens twice.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { Kernel, verify } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import { randomFrom } from "../support/random.ts";
import { atLeast, runs, seed as seedAsked } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";

const text = `effect-ir 1
modules "fcm1-${"b".repeat(64)}"
tool t.once(n: int) -> string
  cost 1
tool t.keyed(n: int) -> string
  idempotent
  cost 1
program () {
  parallel {
    branch {
      call @a1 t.once(n: 1)
      call @a2 t.keyed(n: 2)
    }
    branch {
      call @b1 t.keyed(n: 3)
      parallel {
        branch {
          call @b2 t.once(n: 4)
        }
        branch {
          call @b3 t.once(n: 5)
        }
      }
    }
  }
  for x in [1, 2, 3, 4] parallel {
    call @c t.once(n: x)
    call @d t.keyed(n: x)
  }
}
guarantee t.few():
  count(o in t.once) <= 7
`;

const programs = join(ROOT, `node_modules/.cache/program-child-${process.pid}`);
let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-program-"));
  await build({
    input: join(ROOT, "tests/support/program-child.ts"),
    platform: "node",
    external: ["libsql", "pg", "oxc-parser"],
    output: { dir: programs, format: "esm", entryFileNames: "child.mjs" },
    logLevel: "silent",
  });
});
afterAll(() => {
  for (const one of [folder, programs]) rmSync(one, { recursive: true, force: true });
});

interface Answer {
  readonly outcome: string;
  readonly inDoubt: readonly { readonly call: string; readonly tool: string; readonly receipt: string }[];
}

interface Place {
  readonly url: string;
  readonly document: string;
  readonly world: string;
}

/** Undefined if it was killed: so long after it was begun, or after so many tools were. */
async function child(
  { url, document, world }: Place,
  killAfter: (begun: number) => number | undefined,
): Promise<Answer | undefined> {
  const process_ = spawn(process.execPath, [join(programs, "child.mjs"), url, document, world]);
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

function linesOf({ world }: Place): string[] {
  return existsSync(world) ? readFileSync(world, "utf8").trim().split("\n") : [];
}

/** A person who is asked about what is in doubt looks at the world. */
async function resolved(place: Place, { inDoubt }: Answer): Promise<void> {
  await onKernel(place.url, async (kernel) => {
    for (const { call, receipt } of inDoubt) {
      const isDone = linesOf(place).some((line) => line.startsWith(`once ${call} `));
      const { verdict } = isDone
        ? await kernel.settle(receipt, { outcome: { returned: true, result: `once ${call}` } })
        : await kernel.release(receipt, "the world knows nothing of it");
      expect(verdict).toBe("allowed");
    }
  });
}

const lanes = 3;
const kills = runs(6);
const seed = seedAsked() ?? Math.floor(Math.random() * 2 ** 31);

test(`killed among calls at the same time, nothing is done twice (seed ${seed})`, {
  timeout: timeout(120),
}, async () => {
  const killed = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const at = (name: string) => join(folder, `${lane}-${name}`);
      const place = { url: `sqlite:${at("ledger.db")}`, document: at("p.eir"), world: at("world.txt") };
      writeFileSync(place.document, text);
      await onKernel(place.url, async () => {}, { policy: { budgets: { usd: 100 } } });
      const chance = randomFrom(seed + lane);
      let count = 0;
      for (;;) {
        const after = count < kills ? Math.floor(chance() * 5) : Number.POSITIVE_INFINITY;
        const wait = chance() * (after === 0 ? 250 : 12);
        const answer = await child(place, (begun) => (begun === after ? wait : undefined));
        if (answer === undefined) count++;
        else if (answer.outcome === "in doubt") await resolved(place, answer);
        else {
          expect(["done", "over"]).toContain(answer.outcome);
          break;
        }
      }
      const lines = linesOf(place);
      const calls = ["a1", "a2", "b1", "b2", "b3", ...[0, 1, 2, 3].flatMap((i) => [`c[${i}]`, `d[${i}]`])];
      for (const call of calls) {
        const mine = lines.filter((line) => line.split(" ")[1] === call);
        expect(new Set(mine).size, `${call}: ${lines.join("; ")}`).toBe(1);
        if (mine[0]?.startsWith("once ")) expect(mine, lines.join("\n")).toHaveLength(1);
      }
      await onKernel(place.url, async (kernel) => {
        const budgets = { usd: { net: "13", reserved: "0" } };
        expect(kernel.status()).toMatchObject({ inDoubt: [], budgets });
        expect(await verify(await kernel.entries(1, 1_000))).toMatchObject({ ok: true });
      });
      return count;
    }),
  );
  expect(killed.reduce((a, b) => a + b, 0)).toBeGreaterThan(atLeast(lanes * 2));
});
