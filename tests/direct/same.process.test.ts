/** Equivalent sources have the same verdicts, facts and traces, and run the same, in every form. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, foreclaim } from "../cli/built.ts";
import { command } from "../cli/in-process.ts";
import { folder as examples } from "../examples/examples.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-same-"));

interface Trio {
  readonly name: string;
  readonly domain: string;
  readonly guarantees: readonly string[];
  readonly verdict: "proved" | "refuted";
  /** The body of `run`. */
  readonly program: string;
  /** The commands. */
  readonly document: string;
  readonly actions: readonly (readonly [tool: string, parameters: object])[];
}

const trios: readonly Trio[] = [
  {
    name: "rent",
    domain: "bank",
    guarantees: ["bank.maxSpend(850)", 'bank.onlyAccount("rent")', "bank.movedCoversSpent()"],
    verdict: "proved",
    program: `await bank.transfer({ from: "savings", to: "rent", amount: 850 });
    await bank.withdraw({ account: "rent", amount: 850 });`,
    document: `call bank.transfer(from: "savings", to: "rent", amount: 850)
  call bank.withdraw(account: "rent", amount: 850)`,
    actions: [
      ["bank.transfer", { from: "savings", to: "rent", amount: 850 }],
      ["bank.withdraw", { account: "rent", amount: 850 }],
    ],
  },
  {
    name: "too-much",
    domain: "bank",
    guarantees: ["bank.maxSpend(500)", 'bank.limits([{"account": "card", "limit": 300}])'],
    verdict: "refuted",
    program: `await bank.withdraw({ account: "card", amount: 250 });
    await bank.withdraw({ account: "card", amount: 250.5 });`,
    document: `call bank.withdraw(account: "card", amount: 250)
  call bank.withdraw(account: "card", amount: 250.5)`,
    actions: [
      ["bank.withdraw", { account: "card", amount: 250 }],
      ["bank.withdraw", { account: "card", amount: 250.5 }],
    ],
  },
  {
    name: "door",
    domain: "home",
    guarantees: ["home.allDoorsLockedAtEnd()", 'home.onlyOpens(["front"])'],
    verdict: "proved",
    program: `await home.arm({ on: false });
    await home.unlock({ door: "front" });
    await home.lock({ door: "front" });
    await home.arm({ on: true });`,
    document: `call home.arm(on: false)
  call home.unlock(door: "front")
  call home.lock(door: "front")
  call home.arm(on: true)`,
    actions: [
      ["home.arm", { on: false }],
      ["home.unlock", { door: "front" }],
      ["home.lock", { door: "front" }],
      ["home.arm", { on: true }],
    ],
  },
  {
    name: "open-door",
    domain: "home",
    guarantees: ["home.allDoorsLockedAtEnd()"],
    verdict: "refuted",
    program: `await home.unlock({ door: "front" });`,
    document: 'call home.unlock(door: "front")',
    actions: [["home.unlock", { door: "front" }]],
  },
];

/** Examples that stand beside one another as `.ts` and `.eir`. */
const pairs = [
  "bank/pay-card",
  "bank/all-open-bills",
  "home/early-return",
  "home/air-the-rooms",
  "email/first-mail",
  "email/newsletter",
];

/** Guarantees are written the same in all three, but for the quotes around the names of fields. */
const asCode = (guarantee: string) => guarantee.replace(/"(\w+)":/g, "$1:");

beforeAll(async () => {
  await build();
  for (const { domain, name, guarantees, program, document, actions } of trios) {
    const at = join(folder, domain);
    cpSync(join(examples, domain, "tools"), join(at, "tools"), { recursive: true });
    mkdirSync(at, { recursive: true });
    writeFileSync(
      join(at, `${name}.ts`),
      `import { program } from "foreclaim";
import * as ${domain} from "./tools/${domain}";
export default program({
  guarantees: [${guarantees.map(asCode).join(", ")}],
  async run() {
    ${program}
  },
});
`,
    );
    const stated = guarantees.map((one) => `guarantee ${asCode(one)}\n`).join("");
    writeFileSync(join(at, `${name}.eir`), `effect-ir 1\nprogram () {\n  ${document}\n}\n${stated}`);
    const plan = {
      id: name,
      source: "agent",
      actions: actions.map(([tool, parameters], i) => ({
        id: `c${i + 1}`,
        type: "tool_call",
        tool,
        parameters,
        ...(i === 0 ? {} : { dependencies: [`c${i}`] }),
      })),
    };
    writeFileSync(join(at, `${name}.json`), JSON.stringify(plan));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Fields that depend on the location of the source or on time. */
const own = new Set(["file", "line", "column", "ms", "hash", "script", "because"]);

function meaning(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaning);
  if (typeof value === "string") return value.replace(/\n {2}at .*$/gm, "");
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => (own.has(name) ? [] : [[name, meaning(part)]])),
  );
}

async function proved(path: string, more: readonly string[] = []): Promise<Record<string, unknown>> {
  const { json, err } = await command(["prove", path, ...more, "--show", "facts", "--json"]);
  expect(err).toBe("");
  return meaning(json()) as Record<string, unknown>;
}

/** A plan is proved for retries too, so where a run that stops leaves a promise open is its own. */
function withoutStops(found: Record<string, unknown>): unknown {
  const [guarantees, coverage] = [found.guarantees, found.coverage] as readonly Record<string, unknown>[][];
  return {
    ...found,
    guarantees: guarantees?.map(({ interruption: _, ...rest }) => rest),
    coverage: coverage?.map(({ status: _, enforced: _e, openAtStops: _o, ...rest }) => rest),
  };
}

describe("a program, a document and a plan", () => {
  it.each(trios)("$domain/$name", async ({ domain, name, guarantees, verdict }) => {
    const at = join(folder, domain, name);
    const program = await proved(`${at}.ts`);
    expect(program).toMatchObject({ verdict, errors: [] });
    expect(await proved(`${at}.eir`)).toEqual(program);
    const plan = await proved(`${at}.json`, ["--guarantee", ...guarantees]);
    expect(withoutStops(plan)).toEqual(withoutStops(program));
  });
});

describe("a program and a document", () => {
  it.each(pairs)("%s", async (name) => {
    const at = join(examples, name);
    const { shown: _, ...program } = await proved(`${at}.ts`);
    const { shown: __, ...document } = await proved(`${at}.eir`);
    expect(document).toEqual(program);
  });

  it("that are compared are the same", async () => {
    const at = join(examples, "bank/pay-card");
    const { code, out } = await command(["compare", `${at}.ts`, `${at}.eir`]);
    expect(out).toContain("no difference");
    expect(code).toBe(0);
  });
});

describe("a run", () => {
  /** Each entry as far as it does not speak of when, by whom and of which hash. */
  async function entries(path: string, ledger: string): Promise<unknown> {
    const inFolder = { cwd: join(folder, "bank") };
    await foreclaim(["kernel", "init", ledger, "--budget", "usd=5000"], inFolder);
    const run = await foreclaim(["run", path, "--ledger", ledger, "--yes", "--json"], inFolder);
    expect(run.code, run.err).toBe(0);
    const { calls } = JSON.parse(run.out);
    const trace = await foreclaim(["trace", "show", ledger, "--json"], inFolder);
    const shown = trace.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const id: string = JSON.parse(run.out).run;
    const plain = JSON.stringify(
      shown.map(({ entry: { command: said, kind, verdict, cost, budgets } }) => ({
        said,
        kind,
        verdict,
        cost,
        budgets,
      })),
    )
      .replaceAll(id, "run")
      .replace(/"receipt":"\{(?:[^"\\]|\\.)*\}"/g, '"receipt":""')
      .replace(/receipt [0-9a-f]+/g, "receipt")
      .replace(/\b(eir1|[rs]\d+)-[0-9a-f]{64}/g, "$1")
      .replace(/\b[0-9a-f]{64}\b/g, "hash");
    return {
      calls: calls.map(({ receipt: _, ...call }: { receipt: string }) => call),
      plain: JSON.parse(plain),
    };
  }

  it("makes the same calls and the same entries", async () => {
    const program = await entries("rent.ts", "program.db");
    expect(program).toMatchObject({
      calls: [
        { call: "c1", tool: "bank.transfer" },
        { call: "c2", tool: "bank.withdraw" },
      ],
    });
    expect(await entries("rent.eir", "document.db")).toEqual(program);
  });
});
