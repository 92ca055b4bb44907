/** A real `foreclaim serve`, as users start it, in a folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../cli/built.ts";

export const main = join(root, "dist/cli/main.js");

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests say what they expect of it.
  readonly json: ReturnType<typeof JSON.parse>;
}

export interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Every answer that any service of this process gave. A file that reads them begins with none: files share a process. */
export const answers: { readonly method: string; readonly path: string; readonly answer: Answer }[] = [];

export class Serve {
  readonly folder: string;
  readonly address: string;
  /** With the invitation in its fragment, the first time. */
  readonly page: string;
  readonly child: ChildProcess;
  readonly #log: { text: string };
  readonly #ended: Promise<number | null>;

  private constructor(
    folder: string,
    told: { readonly address: string; readonly page: string },
    child: ChildProcess,
    log: { text: string },
    ended: Promise<number | null>,
  ) {
    this.folder = folder;
    this.address = told.address;
    this.page = told.page;
    this.child = child;
    this.#log = log;
    this.#ended = ended;
  }

  static start(folder: string, ...args: readonly string[]): Promise<Serve> {
    return Serve.startWith({}, folder, ...args);
  }

  static async startWith(
    env: Readonly<Record<string, string>>,
    folder: string,
    ...args: readonly string[]
  ): Promise<Serve> {
    const child = spawn(
      process.execPath,
      [main, "serve", "--port", "0", "--json", "--log", "json", ...args],
      {
        cwd: folder,
        env: { PATH: process.env.PATH ?? "", ...env },
      },
    );
    const log = { text: "" };
    child.stderr.on("data", (chunk: Buffer) => {
      log.text += chunk.toString();
    });
    const ended = new Promise<number | null>((resolve) => {
      child.on("exit", (code) => resolve(code));
    });
    const line = new Promise<string>((resolve, reject) => {
      let out = "";
      child.stdout.on("data", (chunk: Buffer) => {
        out += chunk.toString();
        if (out.includes("\n")) resolve(out);
      });
      void ended.then((code) => reject(new Error(`it ended with ${code}\n${out}${log.text}`)));
    });
    const told = JSON.parse(await line);
    if (told.address === undefined) throw new Error(JSON.stringify(told));
    return new Serve(folder, told, child, log, ended);
  }

  /** Events on standard error, an object for each. */
  get log(): readonly Record<string, unknown>[] {
    return this.#log.text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }

  get logText(): string {
    return this.#log.text;
  }

  get port(): number {
    return Number(new URL(this.address).port);
  }

  get agent(): string {
    return this.credential("agent");
  }

  get reviewer(): string {
    return this.credential("reviewer");
  }

  credential(role: string): string {
    return readFileSync(join(this.folder, `approvals.db.${role}`), "utf8").trim();
  }

  async ask(who: string | undefined, path: string, asked: Asked = {}): Promise<Answer> {
    const { method = asked.body === undefined ? "GET" : "POST", body, headers, signal } = asked;
    const answer = await fetch(`${this.address}${path}`, {
      method,
      headers: {
        ...(who !== undefined && { authorization: `Bearer ${who}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
    const found = {
      status: answer.status,
      headers: answer.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
    answers.push({ method: method.toLowerCase(), path, answer: found });
    return found;
  }

  /** Files a program, and gives its id. */
  async file(program: string, more: object = {}, who = this.agent): Promise<string> {
    const text = program.includes("\n") ? program : readFileSync(join(this.folder, program), "utf8");
    const file = program.includes("\n") ? "program.ts" : program;
    const { status, json } = await this.ask(who, "/api/requests", {
      body: { program: { file, text }, inputs: {}, budget: null, kernel: "a".repeat(64), ...more },
    });
    if (status !== 201) throw new Error(JSON.stringify(json));
    return json.id;
  }

  /** The request once it is proved. */
  async proved(id: string, who = this.agent) {
    for (;;) {
      const { json, status } = await this.ask(who, `/api/requests/${id}/wait?revision=1&seconds=30`);
      if (status !== 200) throw new Error(JSON.stringify(json));
      if (json.status !== "proving") return json;
    }
  }

  decide(
    id: string,
    decision: string,
    revision: number,
    more: object = {},
    who = this.reviewer,
  ): Promise<Answer> {
    return this.ask(who, `/api/requests/${id}/decision`, { body: { decision, revision, ...more } });
  }

  ended(): Promise<number | null> {
    return this.#ended;
  }

  /** As a user would; gives the exit code. */
  async stop(): Promise<number | null> {
    this.child.kill("SIGTERM");
    return this.#ended;
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.#ended;
  }
}

/** A folder with tool modules and programs. */
export function project(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "foreclaim-serve-"));
  for (const [name, text] of Object.entries({ ...standard, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

const program = (guarantees: string, body: string, inputs = "") =>
  `import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [${guarantees}],
  async run(${inputs}) {
    ${body}
  },
});
`;

const standard: Readonly<Record<string, string>> = {
  "tools/bank.ts": `/** Payments. */
import { contract, coverage, tool } from "foreclaim";
import { secret } from "../lib/secret";

/** What is owed to someone. */
export const owed = tool({
  reads: true,
  ensures: (result) => result >= 0,
  run: async ({ to }: { to: string }): Promise<number> => (to === secret ? 84.5 : 0),
});

/** Pays someone. */
export const pay = tool({
  requires: ({ amount }) => amount > 0,
  cost: ({ amount }) => amount,
  run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => {
    console.log(to, amount);
  },
});

/** All payments together are at most this much. */
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);

/** Nobody is paid but these. */
export const onlyPays = contract((names: string[]) => pay.all((p) => names.includes(p.to)));

/** What nobody can say of cubes. */
export const cubes = tool({
  run: async ({ a, b, c }: { a: number; b: number; c: number }): Promise<void> => {
    console.log(a, b, c);
  },
});
export const noCubes = contract((n: number) =>
  cubes.all((p) => p.a * p.a * p.a + p.b * p.b * p.b !== p.c * p.c * p.c + n),
);

export const policy = coverage({ whenUsed: [pay], recommended: [maxSpend, onlyPays], label: "payments" });
`,
  "lib/secret.ts": 'export const secret = "power";\n',
  "pay.ts": program(
    'bank.maxSpend(100), bank.onlyPays(["power"])',
    `const amount = Math.min(await bank.owed({ to: "power" }), 100);
    if (amount > 0) await bank.pay({ to: "power", amount });`,
  ),
  "pay-small.ts": program("bank.maxSpend(10)", `await bank.pay({ to: "power", amount: 5 });`),
  "pay-what.ts": program(
    "bank.maxSpend(100)",
    `if (amount > 0 && amount <= 100) await bank.pay({ to, amount });`,
    "{ to, amount }: { to: string; amount: number }",
  ),
  "pay-amount.ts": program(
    'bank.maxSpend(100), bank.onlyPays(["power"])',
    `if (amount > 0 && amount <= 100) await bank.pay({ to: "power", amount });`,
    "{ amount }: { amount: number }",
  ),
  "too-much.ts": program("bank.maxSpend(100)", `await bank.pay({ to: "power", amount: 101 });`),
  "wrong.ts": program("bank.maxSpend(100)", "await bank.payy({});"),
  // Many seconds of work for a solver.
  "hard.ts": program(
    "bank.noCubes(0), bank.noCubes(4), bank.noCubes(5)",
    `const x = a.length;
    const y = b.length;
    const z = c.length;
    if (x > 5 && y > 5 && z > 5 && x * y * z > 1000) await bank.cubes({ a: x, b: y, c: z });`,
    "{ a, b, c }: { a: string; b: string; c: string }",
  ),
};

export const hardInputs = { a: "x", b: "y", c: "z" };
