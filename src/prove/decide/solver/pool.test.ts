/** The life of engines, with engines that do as they are told. */
import { describe, expect, it } from "vitest";
import { type Engine, EngineLost } from "./engine.ts";
import { SolverPool } from "./pool.ts";
import { type SolverAnswer, type SolverLimits, SolverUnavailable } from "./port.ts";

const limits: SolverLimits = { timeoutMs: 20_000, resources: 1_000 };

describe("a pool", () => {
  it("starts nothing before it is asked", () => {
    const { started } = poolOf(2);
    expect(started).toEqual([]);
  });

  it("uses one engine for one script after the other", async () => {
    const { check, started } = poolOf(2);
    for (let i = 0; i < 5; i++) expect(await check("unsat")).toEqual({ kind: "unsat" });
    expect(started).toHaveLength(1);
    expect(started[0]?.log.slice(0, 4)).toEqual(["hold", "begin 1000", "unsat", "(check-sat)"]);
    expect(started[0]?.log.slice(-2)).toEqual(["end", "release"]);
  });

  it("has no more engines at work than it may", async () => {
    const { check, started } = poolOf(3);
    const answers = await Promise.all(Array.from({ length: 50 }, () => check("unsat")));
    expect(answers.every(({ kind }) => kind === "unsat")).toBe(true);
    expect(started).toHaveLength(3);
    expect(Math.max(...started.map((engine) => engine.mostAtOnce))).toBe(1);
  });

  it("answers in the order of asking", async () => {
    const { check } = poolOf(1);
    const order: number[] = [];
    await Promise.all([1, 2, 3, 4].map((i) => check("unsat").then(() => order.push(i))));
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it("stops an engine that misses the deadline, and starts another", async () => {
    const { check, started } = poolOf(1);
    const [late, next] = await Promise.all([check("hang", { ...limits, timeoutMs: 20 }), check("unsat")]);
    expect(late).toEqual({ kind: "unknown", reason: "timeout", detail: "no answer within 20 ms" });
    expect(next).toEqual({ kind: "unsat" });
    expect(started.map(({ alive }) => alive)).toEqual([false, true]);
  });

  it.each(["crash", "lost in begin", "lost in end"])("stops an engine after a %s", async (fault) => {
    const { check, started } = poolOf(1);
    expect(await check(fault)).toEqual({ kind: "unknown", reason: "crashed", detail: "gone" });
    expect(await check("unsat")).toEqual({ kind: "unsat" });
    expect(started.map(({ alive }) => alive)).toEqual([false, true]);
  });

  it("leaves an engine that died while it was idle", async () => {
    const { check, started } = poolOf(1);
    await check("unsat");
    await started[0]?.stop();
    expect(await check("unsat")).toEqual({ kind: "unsat" });
    expect(started).toHaveLength(2);
  });

  it("answers when no engine starts, and tries again", async () => {
    let tries = 0;
    const failing = new SolverPool(
      "none",
      async () => {
        tries++;
        throw new SolverUnavailable("there is none", "get one");
      },
      1,
    );
    for (let i = 0; i < 2; i++) {
      expect(await failing.check({ text: "", values: [] }, limits)).toEqual({
        kind: "unknown",
        reason: "error",
        detail: "there is none",
      });
    }
    await expect(failing.version()).rejects.toThrow(SolverUnavailable);
    expect(tries).toBe(3);
  });

  it("asks nobody about a script that is not whole", async () => {
    const { pool, started } = poolOf(1);
    expect(await pool.check({ text: "(assert", values: [] }, limits)).toMatchObject({ reason: "error" });
    expect(started).toEqual([]);
  });

  it.each([
    { timeoutMs: 0 },
    { timeoutMs: 2 ** 31 },
    { timeoutMs: Number.NaN },
    { resources: 0 },
    { resources: 1.5 },
    { resources: 2 ** 32 },
    { memoryMb: -1 },
  ])("takes no limit that would be none: %o", async (wrong) => {
    const { check } = poolOf(1);
    await expect(check("unsat", { ...limits, ...wrong })).rejects.toThrow(RangeError);
  });
});

describe("giving up", () => {
  const cancelled = {
    kind: "unknown",
    reason: "cancelled",
    detail: "the answer is no longer needed",
  };

  it("stops the engine at work", async () => {
    const { check, started } = poolOf(1);
    const giveUp = new AbortController();
    const answer = check("hang", { ...limits, signal: giveUp.signal });
    await new Promise((resolve) => setTimeout(resolve, 5));
    giveUp.abort();
    expect(await answer).toEqual(cancelled);
    expect(await check("unsat")).toEqual({ kind: "unsat" });
    expect(started.map(({ alive }) => alive)).toEqual([false, true]);
  });

  it("needs no engine for a script that was waiting", async () => {
    const { check, started } = poolOf(1);
    const giveUp = new AbortController();
    const first = check("slow");
    const waiting = check("unsat", { ...limits, signal: giveUp.signal });
    giveUp.abort();
    expect(await waiting).toEqual(cancelled);
    expect(await first).toEqual({ kind: "unsat" });
    expect(await check("unsat", { ...limits, signal: giveUp.signal })).toEqual(cancelled);
    expect(started.map(({ alive }) => alive)).toEqual([true]);
  });
});

describe("closing", () => {
  const closed = { kind: "unknown", reason: "error", detail: "the solver has been closed" };

  it("stops every engine and answers every check", async () => {
    const { pool, check, started } = poolOf(2);
    await check("unsat");
    const open = ["hang", "hang", "unsat"].map((what) => check(what));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await pool.close();
    expect(await Promise.all(open)).toEqual([closed, closed, closed]);
    expect(started.map(({ alive }) => alive)).toEqual([false, false]);
    expect(await check("unsat")).toEqual(closed);
    await expect(pool.version()).rejects.toThrow("closed");
    await pool.close();
    expect(started).toHaveLength(2);
  });

  it("stops an engine that was being started", async () => {
    const { pool, check, started } = poolOf(1);
    const answer = check("unsat");
    await pool[Symbol.asyncDispose]();
    expect(await answer).toEqual(closed);
    expect(started.every(({ alive }) => !alive)).toBe(true);
  });
});

describe("the conversation", () => {
  const x = { name: "x", sort: "Int" } as const;

  it.each<[script: string, replies: Record<string, string>, SolverAnswer]>([
    ["no values", { "(check-sat)": "sat\n" }, { kind: "sat", model: new Map(), undecodable: new Map() }],
    [
      "an error that is followed by a verdict",
      { "(check-sat)": '(error "bad")\nunsat\n' },
      { kind: "unknown", reason: "error", detail: "bad" },
    ],
    [
      "two verdicts",
      { "(check-sat)": "unsat\nunsat\n" },
      { kind: "unknown", reason: "error", detail: "unsat\nunsat" },
    ],
    [
      "silence",
      { "(check-sat)": "" },
      { kind: "unknown", reason: "error", detail: "the solver gave no answer" },
    ],
    [
      "a complaint about an assertion",
      { "(assert true)": '(error "bad assertion")', "(check-sat)": "unsat" },
      { kind: "unknown", reason: "error", detail: "bad assertion" },
    ],
    [
      "a reason",
      { "(check-sat)": "unknown\n", "(get-info :reason-unknown)": '(:reason-unknown "canceled")' },
      { kind: "unknown", reason: "resources", detail: "canceled" },
    ],
  ])("takes %s for what it is", async (_, replies, expected) => {
    const pool = new SolverPool("fake", async () => new FakeEngine(replies), 1);
    expect(await pool.check({ text: "(assert true)", values: [] }, limits)).toEqual(expected);
  });

  it("asks for values as they are written", async () => {
    const replies = { "(check-sat)": "sat", "(get-value (x (f 3)))": "((x 1) ((f 3) 2))" };
    const pool = new SolverPool("fake", async () => new FakeEngine(replies), 1);
    const values = [x, { name: "third", sort: "Int", term: "(f 3)" }] as const;
    expect(await pool.check({ text: "", values }, limits)).toEqual({
      kind: "sat",
      model: new Map([
        ["x", 1n],
        ["third", 2n],
      ]),
      undecodable: new Map(),
    });
  });

  it("gives the version of the engine", async () => {
    expect(await poolOf(1).pool.version()).toBe("1.2.3");
  });
});

/** A pool whose engines do what the script says; scripts are hidden in a comment, so that they are scripts. */
function poolOf(engines: number) {
  const started: FakeEngine[] = [];
  const start = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const engine = new FakeEngine({ "(check-sat)": "unsat\n" });
    started.push(engine);
    return engine;
  };
  const pool = new SolverPool("fake", start, engines);
  const check = (what: string, asked = limits) => pool.check({ text: `; ${what}`, values: [] }, asked);
  return { pool, check, started };
}

class FakeEngine implements Engine {
  readonly version = "1.2.3";
  alive = true;
  readonly log: string[] = [];
  mostAtOnce = 0;
  #atOnce = 0;
  #ends = false;
  readonly #replies: Readonly<Record<string, string>>;
  #reject: (error: Error) => void = () => {};

  constructor(replies: Readonly<Record<string, string>>) {
    this.#replies = replies;
  }

  async begin({ text }: { readonly text: string }, { resources }: SolverLimits): Promise<void> {
    this.log.push(`begin ${resources}`);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
    if (text.includes("lost in begin")) throw new EngineLost("crashed", "gone");
    this.#ends = !text.includes("lost in end");
  }

  async ask(commands: string): Promise<string> {
    this.log.push(commands.replace(/^; /, ""));
    if (commands.includes("slow")) await new Promise((resolve) => setTimeout(resolve, 20));
    if (commands.includes("crash")) throw new EngineLost("crashed", "gone");
    if (commands.includes("hang")) {
      await new Promise((_, reject) => {
        this.#reject = reject;
      });
    }
    return this.#replies[commands] ?? "";
  }

  async end(): Promise<void> {
    this.log.push("end");
    this.#atOnce--;
    if (!this.#ends) throw new EngineLost("crashed", "gone");
  }

  hold(on: boolean): void {
    this.log.push(on ? "hold" : "release");
  }

  async stop(): Promise<void> {
    this.alive = false;
    this.#reject(new EngineLost("crashed", "stopped"));
  }
}
