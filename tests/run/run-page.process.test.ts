/** `foreclaim run --approve page`: with a service of its own, and with one that is running. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RequestDetail, RunView } from "../../src/approve/wire.ts";
import { newKeys } from "../../src/kernel/index.ts";
import { build, root } from "../cli/built.ts";
import { timeout } from "../support/timeout.ts";

const options = { timeout: timeout(60) };
const main = join(root, "dist/cli/main.js");
const notes = `
import { appendFileSync } from "node:fs";
import { contract, tool } from "foreclaim";
export const write = tool({
  run: async ({ text }: { text: string }): Promise<void> => appendFileSync("world.txt", text + "\\n"),
});
export const atMost = contract((n: number) => write.count() <= n);
`;
const program = `
import { program } from "foreclaim";
import * as notes from "./tools/notes";
export default program({
  guarantees: [notes.atMost(2)],
  async run({ text }: { text: string }) {
    await notes.write({ text });
    await notes.write({ text: "end" });
  },
});
`;

let folder = "";
const running: ChildProcess[] = [];
beforeAll(() => build());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-page-"));
  mkdirSync(join(folder, "tools"));
  mkdirSync(join(folder, "tmp"));
  const files = { "tools/notes.ts": notes, "note.ts": program, "in.json": '{"text": "hello"}' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterEach(async () => {
  await Promise.all(
    running.splice(0).map((child) => {
      if (child.exitCode !== null || child.signalCode !== null) return undefined;
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGKILL");
      return ended;
    }),
  );
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly out: () => string;
  /** The first text in what it says that fits. */
  readonly said: (what: RegExp) => Promise<RegExpExecArray>;
  readonly ended: Promise<number | null>;
}

function start(...args: readonly string[]): Started {
  // What is left in the folder for temporary files is seen.
  const env = { ...process.env, TMPDIR: join(folder, "tmp"), NO_COLOR: "1" };
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, env });
  running.push(child);
  let out = "";
  const waiting: (() => void)[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      out += `${line}\n`;
      for (const look of waiting) look();
    });
  const ended = new Promise<number | null>((done) => child.once("close", (code) => done(code)));
  const said = (what: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = (): void => {
        const found = what.exec(out);
        if (found !== null) resolve(found);
      };
      waiting.push(look);
      void ended.then(() => reject(new Error(`it has ended, and said ${out}`)));
      look();
    });
  return { child, out: () => out, said, ended };
}

const world = () =>
  existsSync(join(folder, "world.txt")) ? readFileSync(join(folder, "world.txt"), "utf8").split("\n") : [];
const run = ["run", "note.ts", "--input", "in.json", "--approve", "page"];

/** Somebody at the page. */
class Reviewer {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  private constructor(url: string, headers: Record<string, string>) {
    this.#url = url;
    this.#headers = { ...headers, origin: url, "content-type": "application/json" };
  }

  static async with(url: string, credential: string): Promise<Reviewer> {
    const body = JSON.stringify({ credential });
    const headers = { origin: url, "content-type": "application/json" };
    const answer = await fetch(`${url}/api/session`, { method: "POST", headers, body });
    const { csrf } = (await answer.json()) as { csrf: string };
    const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
    return new Reviewer(url, { cookie, "x-foreclaim-csrf": csrf });
  }

  async sees(id: string, until: (request: RequestDetail) => boolean): Promise<RequestDetail> {
    for (;;) {
      const answer = await fetch(`${this.#url}/api/requests/${id}`, { headers: this.#headers });
      const request = (await answer.json()) as RequestDetail;
      if (until(request)) return request;
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  async decides(id: string, decision: string, text?: string): Promise<number> {
    const { revision } = await this.sees(id, ({ status }) => status === "pending");
    const body = JSON.stringify({ decision, revision, ...(text !== undefined && { text }) });
    const to = `${this.#url}/api/requests/${id}/decision`;
    return (await fetch(to, { method: "POST", headers: this.#headers, body })).status;
  }
}

describe("with a service of its own", () => {
  async function asked(...more: string[]) {
    return watched(start(...run, ...more));
  }

  async function watched(started: Started) {
    const [, id = ""] = await started.said(/request (r[0-9a-f]+) is filed/);
    const [, url = "", invitation = ""] = await started.said(
      /(http:\/\/127\.0\.0\.1:\d+)\/#sign-in=([^&\s]+)/,
    );
    return { ...started, id, reviewer: await Reviewer.with(url, invitation) };
  }

  test("a plan runs when somebody approves it, with what was stated beside it", options, async () => {
    const action = { id: "a", type: "tool_call", tool: "notes.write", parameters: { text: "planned" } };
    writeFileSync(join(folder, "plan.json"), JSON.stringify({ actions: [action] }));
    const asking = ["plan", "run", "plan.json", "--approve", "page", "--guarantee", "notes.atMost(1)"];
    const { id, reviewer, ended, out } = await watched(start(...asking));
    expect(world()).toEqual([]);
    expect(await reviewer.decides(id, "approved_once")).toBe(200);
    expect([await ended, out()]).toEqual([0, expect.stringContaining("done  1 call")]);
    expect(world()).toEqual(["planned", ""]);
  });

  test("it runs when somebody approves, and the page hears how it ends", options, async () => {
    const { id, reviewer, ended, out } = await asked("--words", "please");
    const request = await reviewer.sees(id, ({ status }) => status === "pending");
    expect([request.words, request.program.text, request.inputs]).toEqual([
      "please",
      program,
      { text: "hello" },
    ]);
    expect(await reviewer.decides(id, "approved_once")).toBe(200);
    const { progress } = await reviewer.sees(id, (one) => one.progress?.state === "done");
    const calls = (view: RunView | null) => view?.calls.map(({ tool, args, state }) => [tool, args, state]);
    expect(calls(progress)).toEqual([
      ["notes.write", expect.stringContaining("hello"), "done"],
      ["notes.write", expect.stringContaining("end"), "done"],
    ]);
    expect(await ended, out()).toBe(0);
    expect(world()).toEqual(["hello", "end", ""]);
    expect(readdirSync(join(folder, "tmp"))).toEqual([]);
  });

  test.each([
    ["rejected", "not on a Monday", "it was rejected by reviewer: not on a Monday"],
    ["request_more", "what is it for?", "reviewer asks for more: what is it for?"],
  ])("%s: the reason reaches whoever waits, and nothing runs", options, async (decision, text, expected) => {
    const { id, reviewer, ended, out } = await asked();
    expect(await reviewer.decides(id, decision, text)).toBe(200);
    expect(await ended).toBe(3);
    expect(out()).toContain(expected);
    expect(world()).toEqual([]);
    expect(readdirSync(join(folder, "tmp"))).toEqual([]);
  });

  test("a ledger that is not there is made once somebody has approved", options, async () => {
    const ledger = ["--ledger", "new.db", "--budget", "5"];
    const { id, reviewer, ended, out } = await asked(...ledger);
    const made = () => readdirSync(folder).filter((name) => name.startsWith("new.db"));
    await reviewer.sees(id, ({ status }) => status === "pending");
    expect(made()).toEqual([]);
    expect(await reviewer.decides(id, "approved_once")).toBe(200);
    expect(await ended, out()).toBe(0);
    expect(made().sort()).toEqual(["new.db", "new.db-reserve", "new.db.key", "new.db.pub"]);
    expect(await start("trace", "verify", "new.db").ended).toBe(0);
  });

  test("a program from standard input is decided on the page", options, async () => {
    const { child, said, ended, out } = start("run", "-", ...run.slice(2));
    child.stdin?.end(program);
    const [, id = ""] = await said(/request (r[0-9a-f]+) is filed/);
    const [, url = "", invitation = ""] = await said(/(http:\/\/127\.0\.0\.1:\d+)\/#sign-in=([^&\s]+)/);
    const reviewer = await Reviewer.with(url, invitation);
    expect(await reviewer.decides(id, "approved_once")).toBe(200);
    expect(await ended, out()).toBe(0);
    expect(world()).toEqual(["hello", "end", ""]);
  });

  test.each(["SIGINT", "SIGKILL"] as const)(
    "%s while it waits leaves nothing behind",
    options,
    async (signal) => {
      const { child, ended } = await asked();
      child.kill(signal);
      await ended;
      await expect.poll(() => readdirSync(join(folder, "tmp")), { timeout: 15_000 }).toEqual([]);
      expect(world()).toEqual([]);
    },
  );
});

describe("with a service that is running", () => {
  async function served(port = "0") {
    const started = start("serve", "--store", "approvals.db", "--port", port, "--json");
    const [line] = await started.said(/^\{.*\}$/m);
    const { address } = JSON.parse(line) as { address: string };
    return { ...started, address };
  }
  const secret = (role: string) => readFileSync(join(folder, `approvals.db.${role}`), "utf8").trim();
  const asking = (address: string, key = "approvals.db.pub") =>
    start(...run, "--service", address, "--credential", "approvals.db.agent", "--key", key);

  test("a restart of it while somebody waits changes nothing", options, async () => {
    const first = await served();
    const waiting = asking(first.address);
    const [, id = ""] = await waiting.said(/request (r[0-9a-f]+) is filed/);
    first.child.kill("SIGKILL");
    await first.ended;
    const second = await served(new URL(first.address).port);
    const reviewer = await Reviewer.with(second.address, secret("reviewer"));
    expect(await reviewer.decides(id, "approved_once")).toBe(200);
    expect(await waiting.ended, waiting.out()).toBe(0);
    expect(world()).toEqual(["hello", "end", ""]);
    await reviewer.sees(id, ({ run: state }) => state === "done");
  });

  test(
    "an agent reads the answer, the notes and the names of calls, and nothing that tools said",
    options,
    async () => {
      writeFileSync(
        join(folder, "tools/vault.ts"),
        `import { answer, contract, flowsFrom, tool } from "foreclaim";
export interface Item { id: string; code: string }
export const items = tool({ reads: true, run: async (): Promise<Item[]> => [{ id: "a", code: "SECRET-" + "result" }, { id: "b", code: "SECRET-" + "code" }] });
export const open = tool({ run: async ({ code }: { code: string }): Promise<void> => { if (code.endsWith("code")) throw new Error("SECRET-" + "failure " + code); } });
export const noCodes = contract(() => answer.none((a) => flowsFrom(a.value, items, "code")));
`,
      );
      const source = (body: string) => `import { program } from "foreclaim";
import * as vault from "./tools/vault";
export default program({ guarantees: [vault.noCodes()], async run() {
  const items = await vault.items();
  ${body}
} });
`;
      const bodies = {
        "ends.ts": `await vault.open({ code: items[0]?.code ?? "" }); console.log("looked at", items.length); return { ids: items.map((one) => one.id), third: 1 / 3 };`,
        "stops.ts": `for (const one of items) await vault.open({ code: one.code }); return "all";`,
      };
      const { address } = await served();
      const reviewer = await Reviewer.with(address, secret("reviewer"));
      const read = async (path: string, credential: string) => {
        const headers = { authorization: `Bearer ${credential}` };
        const stop = AbortSignal.timeout(path.endsWith("events") ? 1_000 : 20_000);
        const answer = await fetch(`${address}${path}`, { headers, signal: stop });
        let text = "";
        try {
          for await (const chunk of answer.body ?? []) text += new TextDecoder().decode(chunk);
        } catch {
          // A stream of events does not end by itself.
        }
        return text;
      };
      const seen: Record<string, RequestDetail> = {};
      for (const [file, body] of Object.entries(bodies)) {
        writeFileSync(join(folder, file), source(body));
        const how = ["--approve", "page", "--service", address, "--credential", "approvals.db.agent"];
        const running = start("run", file, ...how, "--key", "approvals.db.pub");
        const [, id = ""] = await running.said(/request (r[0-9a-f]+) is filed/);
        expect(await reviewer.decides(id, "approved_once")).toBe(200);
        await running.ended;
        const full = await reviewer.sees(id, ({ run: state }) => state !== null && state !== "running");
        // The planted words are there to be found, in results and in arguments.
        const [first, second] = full.progress?.calls ?? [];
        expect([first?.result, second?.args], running.out()).toEqual(
          Array.from({ length: 2 }, () => expect.stringContaining("SECRET-result")),
        );
        const paths = ["", `/${id}`, `/${id}/wait?revision=0&seconds=1`, `/${id}/receipt`];
        const all = [
          ...paths.map((path) => `/api/requests${path}`),
          "/api/events",
          "/api/policy",
          "/metrics",
          "/openapi.json",
        ];
        for (const path of all) {
          const text = await read(path, secret("agent"));
          // In the source the words end where they begin.
          expect(text, path).not.toMatch(/SECRET-[a-z]/);
        }
        seen[file] = JSON.parse(await read(`/api/requests/${id}`, secret("agent")));
      }
      expect(seen["ends.ts"]?.progress).toEqual({
        run: expect.any(String),
        state: "done",
        calls: [
          { number: 1, tool: "vault.items", state: "done", args: "", result: null },
          { number: 2, tool: "vault.open", state: "done", args: "", result: null },
        ],
        text: null,
        answer: { value: { ids: ["a", "b"], third: 1 / 3 } },
        notes: ["looked at 2"],
      });
      expect(seen["stops.ts"]?.progress).toMatchObject({ state: "stopped", text: null });
      expect(seen["stops.ts"]?.progress).not.toHaveProperty("answer");
    },
  );

  test("a receipt of another key is refused before the first call", options, async () => {
    const { address } = await served();
    writeFileSync(join(folder, "other.pub"), newKeys().publicKey);
    const waiting = asking(address, "other.pub");
    const [, id = ""] = await waiting.said(/request (r[0-9a-f]+) is filed/);
    const reviewer = await Reviewer.with(address, secret("reviewer"));
    await reviewer.decides(id, "approved_once");
    expect(await waiting.ended).toBe(4);
    expect(waiting.out()).toContain("no call was made");
    expect(world()).toEqual([]);
  });

  test.each([
    ["no key", ["--service", "http://127.0.0.1:1", "--credential", "in.json"], "no key to verify"],
    ["no credential", ["--service", "http://127.0.0.1:1", "--key", "k.pub"], "must know whose request it is"],
    [
      "nobody there",
      ["--service", "http://127.0.0.1:1", "--credential", "in.json", "--key", "k.pub"],
      "does not respond",
    ],
    ["no page", ["--service", "http://127.0.0.1:1", "--approve", "terminal"], "belong to `--approve page`"],
  ])("%s", options, async (_, more, expected) => {
    writeFileSync(join(folder, "k.pub"), newKeys().publicKey);
    const { ended, out } = start(...run, ...more);
    expect(await ended).toBe(2);
    expect(out()).toContain(expected);
    expect(world()).toEqual([]);
  });
});

describe("the demo refutes, proves, runs and verifies", () => {
  test.each([
    ["by a policy where no terminal is, and says so", [], "so a policy decides"],
    ["with --yes", ["--yes"], "`--yes` approves it"],
  ])("%s", options, async (_, more, how) => {
    const { ended, out, child } = start("demo", ...more);
    child.stdin?.end();
    expect(await ended, out()).toBe(0);
    const order = [
      "refuted  bank.onlyPays",
      'bank.pay(to: "attacker", amount: 100)',
      how,
      "proved  2 guarantees proved",
      "made the ledger",
      "paid 84.5 to power",
      "done  2 calls",
      "ok  7 entries",
    ];
    const places = order.map((part) => out().indexOf(part));
    expect(places, out()).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(out()).not.toContain("paid 84.5 to attacker");
  });
});
