/** Laws between a program and its tools: conditions, hooks, aborts, records; each on random programs. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Checked } from "../../src/ir/check/index.ts";
import { Unknown } from "../../src/ir/eval/partly.ts";
import type { TraceEntry } from "../../src/ir/eval/trace.ts";
import type { Hook, PendingCall, ToolHandler } from "../../src/ir/run/options.ts";
import { list, type RecordValue, record, type Value, valueKey } from "../../src/ir/value.ts";
import { anyProgram, type ProgramCase, toolsOf } from "../support/arbitrary-program.ts";
import { endOf, type MadeRun, runCase, stateText, traceText } from "../support/case-runs.ts";
import { Inexact, naiveClause } from "../support/naive-eval.ts";
import { NaiveState, naiveWrites } from "../support/naive-state.ts";
import { Chance } from "../support/program/chance.ts";
import { anySeed } from "../support/program/traces.ts";
import { someValue } from "../support/program/types.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";

const proceed = { kind: "proceed" } as const;
const options = { timeout: timeout(60) };

describe("hooks", options, () => {
  test("see every call in order, before and after it was made", async () => {
    await forPrograms(150, async (program) => {
      const told: string[] = [];
      const done = await runCase(program, {
        hook: {
          before: async (call) => {
            told.push(`before ${call.position} ${call.id} ${call.tool.name} ${valueKey(call.args)}`);
            return proceed;
          },
          after: (entry) => void told.push(`returned ${entryText(entry)}`),
          failed: async (entry) => void told.push(`failed ${entryText(entry)}`),
        },
      });
      const expected = done.trace.flatMap((entry) => [
        `before ${entryText(entry)}`,
        `${entry.outcome.kind === "returned" ? "returned" : "failed"} ${entryText(entry)}`,
      ]);
      expect(told).toEqual(expected);
    });
  });

  test("see what a call requires hold, and what it costs and writes", async () => {
    let conditions = 0;
    await forPrograms(250, async (program) => {
      const { checked } = program;
      const state = NaiveState.initial(checked, program.initial);
      // What is thrown in a hook refuses the call; here it must fail the test.
      const failures: unknown[] = [];
      // Once the second reading cannot tell a value, it knows nothing of what follows.
      let isLost = false;
      const orLost = (work: () => void) => {
        try {
          if (!isLost) work();
        } catch (thrown) {
          if (thrown instanceof Inexact) isLost = true;
          else failures.push(thrown);
        }
      };
      const before = (call: PendingCall) => {
        orLost(() => look(call));
        return proceed;
      };
      const look = ({ tool, args, cost, writes }: PendingCall) => {
        for (const clause of tool.requires) {
          conditions++;
          const holds = inAllWorlds(
            (read) => naiveClause(checked, tool, clause, args, { read }),
            state,
            checked,
          );
          expect(holds).toBe(true);
        }
        const expectedCost = tool.cost === undefined ? 0n : naiveClause(checked, tool, tool.cost, args, {});
        expect(valueKey(cost)).toBe(valueKey(expectedCost));
        expect(valueKey(cost)).not.toContain("-");
        const made = new Set(writes.map(({ update }) => update));
        // Where something is unknown, it may still be known that nothing is written.
        const expectedWrites = naiveWrites(checked, tool, args, state).filter(({ update }) => {
          const { when } = tool.sets[update]!;
          const isFalse = (read: (fluent: string, key: Value) => Value) =>
            naiveClause(checked, tool, when!, args, { read }) === false;
          return made.has(update) || when === undefined || !inAllWorlds(isFalse, state, checked);
        });
        expect(writes.map(({ fluent }) => fluent)).toEqual(expectedWrites.map(({ fluent }) => fluent));
        expectedWrites.forEach(({ key, value }, i) => {
          expectKnown(writes[i]?.key, key);
          expectKnown(writes[i]?.value, value);
        });
      };
      const advance = ({ tool: name, args, outcome }: TraceEntry) =>
        orLost(() => {
          const writes = naiveWrites(checked, checked.tools.get(name)!, args, state);
          for (const write of writes)
            state.write(outcome.kind === "returned" ? write : { ...write, value: undefined });
        });
      await runCase(program, { hook: { before, after: advance, failed: advance } });
      if (failures.length > 0) throw failures[0];
    });
    expect(conditions).toBeGreaterThan(atLeast(20));
  });

  test.each<[string, NonNullable<Hook["before"]>]>([
    ["refuses", () => ({ kind: "refuse", reason: "not today" })],
    ["refuses later", async () => ({ kind: "refuse", reason: "not today" })],
    [
      "throws",
      () => {
        throw new Error("a broken hook");
      },
    ],
    ["rejects", () => Promise.reject(new Error("a broken hook"))],
    ["gives nothing", () => undefined as never],
    ["gives no decision", () => ({ kind: "perhaps" }) as never],
  ])("prevent the call when the hook %s", async (_, object) => {
    await forPrograms(40, async (program, seed) => {
      const free = await runCase(program);
      if (free.trace.length === 0) return;
      const at = seed % free.trace.length;
      const hook: Hook = { before: (call) => (call.position === at ? object(call) : proceed) };
      const done = await runCase(program, { hook });
      expect(endOf(done)).toBe("FC1509");
      expect(traceText(done.trace)).toEqual(traceText(free.trace.slice(0, at)));
      expect(done.made.length).toBe(at);
    });
  });

  test("that fail after a call stop the run with the call in the trace", async () => {
    await forPrograms(60, async (program, seed) => {
      const free = await runCase(program);
      if (free.trace.length === 0) return;
      const at = seed % free.trace.length;
      const object = ({ position }: TraceEntry) => {
        if (position === at) throw new Error("a broken hook");
      };
      const done = await runCase(program, { hook: { after: object, failed: object } });
      expect(endOf(done)).toBe("FC1509");
      expect(traceText(done.trace)).toEqual(traceText(free.trace.slice(0, at + 1)));
    });
  });
});

describe("aborts", options, () => {
  test("before the run let nothing be called", async () => {
    await forPrograms(60, async (program) => {
      const free = await runCase(program);
      const done = await runCase(program, { signal: AbortSignal.abort() });
      expect(done.made).toEqual([]);
      expect(done.trace).toEqual([]);
      if (free.trace.length > 0) expect(endOf(done)).toBe("FC1508");
    });
  });

  test("between calls and during a call that ends by itself let no further call be made", async () => {
    await forPrograms(80, async (program, seed) => {
      const free = await runCase(program);
      if (free.trace.length === 0) return;
      const at = seed % free.trace.length;
      const controller = new AbortController();
      const abort = ({ position }: { readonly position: number }) => {
        if (position === at) controller.abort();
      };
      const between = await runCase(program, {
        signal: controller.signal,
        hook: { after: abort, failed: abort },
      });
      expectStoppedAfter(free, between, at);
      const during = await runCaseWith(program, (run, position, signal) => {
        if (position === at) signal.abort();
        return run();
      });
      // Its answer came with the abort; it is taken or not, but the call is in the trace.
      expect(during.trace.length).toBe(at + 1);
      if (free.trace.length > at + 1) expect(endOf(during)).toBe("FC1508");
    });
  });

  test("during a call that never ends stop the run, and the call may have had its effect", async () => {
    await forPrograms(60, async (program, seed) => {
      const free = await runCase(program);
      if (free.trace.length === 0) return;
      const at = seed % free.trace.length;
      const done = await runCaseWith(program, (run, position, signal) => {
        if (position !== at) return run();
        queueMicrotask(() => signal.abort());
        return new Promise(() => {});
      });
      expect(endOf(done)).toBe("FC1508");
      expect(traceText(done.trace.slice(0, -1))).toEqual(traceText(free.trace.slice(0, at)));
      expect(done.trace.at(-1)).toMatchObject({ position: at, outcome: { kind: "failed" } });
      // A run that was aborted can go on.
      const { position, id, indices, tool, args } = done.trace[at]!;
      expect({ position, id, indices, tool, args }).toEqual(callOf(free.trace[at]!));
      const resumed = await runCase(program, { recorded: done.trace.slice(0, at) });
      expect(traceText(resumed.trace)).toEqual(traceText(free.trace));
    });
  });

  test("during the hook before a call let the call not be made", async () => {
    await forPrograms(60, async (program, seed) => {
      const free = await runCase(program);
      if (free.trace.length === 0) return;
      const at = seed % free.trace.length;
      const controller = new AbortController();
      const before = async ({ position }: PendingCall) => {
        if (position === at) controller.abort();
        return proceed;
      };
      const done = await runCase(program, { signal: controller.signal, hook: { before } });
      expect(endOf(done)).toBe("FC1508");
      expect(done.made.length).toBe(at);
    });
  });
});

describe("tools", options, () => {
  test("that change their arguments and their answers afterwards change nothing else", async () => {
    await forPrograms(150, async (program) => {
      const plain = await runCase(program);
      const given: unknown[] = [];
      const done = await runCaseWith(program, async (run, _, __, args) => {
        for (const one of given) spoil(one);
        given.push(args);
        const answer = await run();
        spoil(args);
        given.push(answer);
        return answer;
      });
      for (const one of given) spoil(one);
      expect(traceText(done.trace)).toEqual(traceText(plain.trace));
      expect(stateText(program, done.state)).toEqual(stateText(program, plain.state));
      expect(done.outcome).toEqual(plain.outcome);
    });
  });

  test.each<[string, unknown]>([
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a promise of NaN", Promise.resolve(Number.NaN)],
    ["a date", new Date(0)],
  ])("that answer %s stop the run, `catch` or not", async (_, wrong) => {
    let stopped = 0;
    await forPrograms(60, async (program, seed) => {
      const free = await runCase(program);
      const answering = free.trace.filter(
        ({ tool }) => program.checked.tools.get(tool)?.result !== undefined,
      );
      if (answering.length === 0) return;
      const at = answering[seed % answering.length]!.position;
      const done = await runCaseWith(program, (run, position) => (position === at ? wrong : run()));
      expect(endOf(done)).toBe("FC1505");
      expect(done.trace.length).toBe(at + 1);
      expect(done.trace[at]?.outcome).toMatchObject({ kind: "broken", code: "FC1505" });
      stopped++;
      // And stays stopped.
      const again = await runCase(program, { recorded: done.trace });
      expect([endOf(again), again.made]).toEqual(["FC1505", []]);
    });
    expect(stopped).toBeGreaterThan(0);
  });

  test("that break `ensures` stop the run, `catch` or not", async () => {
    let stopped = 0;
    await forPrograms(300, async (program) => {
      const done = await runCase(program);
      const broken = done.trace.filter(({ outcome }) => outcome.kind === "broken");
      expect(broken).toEqual(endOf(done) === "FC1506" ? [done.trace.at(-1)] : []);
      stopped += broken.length;
    });
    expect(stopped).toBeGreaterThan(0);
  });

  test("without a handler keep everything from starting", async () => {
    await forPrograms(40, async (program) => {
      for (const { name } of program.document.tools) {
        const tools = toolsOf(program);
        tools.delete(name);
        const done = await runCase(program, { tools });
        expect([endOf(done), done.trace]).toEqual(["FC1501", []]);
      }
    });
  });
});

describe("records", options, () => {
  test("in which any field of any call was changed are refused, before anything is called", async () => {
    const tried = new Map<string, number>();
    await forPrograms(300, async (program, seed) => {
      const whole = await runCase(program);
      if (whole.trace.length === 0) return;
      const at = seed % whole.trace.length;
      for (const [what, changed] of changes(program, whole.trace[at]!)) {
        const recorded = whole.trace.map((entry, i) => (i === at ? changed : entry));
        const done = await runCase(program, { recorded });
        expect([what, endOf(done)]).toEqual([what, "FC1510"]);
        expect(done.made).toEqual([]);
        tried.set(what, (tried.get(what) ?? 0) + 1);
      }
    });
    expect([...tried.keys()].sort()).toEqual([
      "args",
      "field",
      "id",
      "indices",
      "no result",
      "position",
      "result",
      "tool",
    ]);
  });

  test("of more calls than the program makes are refused", async () => {
    await forPrograms(100, async (program) => {
      const whole = await runCase(program);
      const last = whole.trace.at(-1);
      if (last === undefined || endOf(whole) !== "completed") return;
      const recorded = [...whole.trace, { ...last, position: whole.trace.length }];
      expect(endOf(await runCase(program, { recorded }))).toBe("FC1510");
    });
  });

  test("with two calls exchanged are refused", async () => {
    await forPrograms(100, async (program) => {
      const { trace } = await runCase(program);
      const [first, second, ...rest] = trace;
      if (first === undefined || second === undefined) return;
      const recorded = [{ ...second, position: 0 }, { ...first, position: 1 }, ...rest];
      const done = await runCase(program, { recorded });
      expect([endOf(done), done.made]).toEqual(["FC1510", []]);
    });
  });
});

// ── helpers ──────────────────────────────────────────────────────────────────────────────────────────────

async function forPrograms(
  count: number,
  holds: (program: ProgramCase, seed: number) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(anyProgram(), anySeed(), holds), { numRuns: runs(count) });
}

/** A run in which `act` stands between the program and the tools; `run` is what the tool would have done. */
async function runCaseWith(
  program: ProgramCase,
  act: (run: () => unknown, position: number, signal: AbortController, args: unknown) => unknown,
): Promise<MadeRun> {
  const controller = new AbortController();
  let position = 0;
  const tools = new Map<string, ToolHandler>();
  for (const [name, handler] of toolsOf(program)) {
    const run: ToolHandler["run"] = (args, context) =>
      act(() => handler.run(args, context), position++, controller, args);
    tools.set(name, { ...handler, run });
  }
  return runCase(program, { tools, signal: controller.signal });
}

function expectStoppedAfter(free: MadeRun, done: MadeRun, at: number): void {
  expect(traceText(done.trace)).toEqual(traceText(free.trace.slice(0, at + 1)));
  if (free.trace.length > at + 1) expect(endOf(done)).toBe("FC1508");
  else expect(["FC1508", endOf(free)]).toContain(endOf(done));
}

function entryText({ position, id, tool, args }: TraceEntry): string {
  return `${position} ${id} ${tool} ${valueKey(args)}`;
}

function callOf({ position, id, indices, tool, args }: TraceEntry): Omit<TraceEntry, "outcome"> {
  return { position, id, indices, tool, args };
}

/** Evaluates a condition in every tried world, for cells with unknown values. */
function inAllWorlds(
  condition: (read: (fluent: string, key: Value) => Value) => Value,
  state: NaiveState,
  checked: Checked,
): boolean {
  return Array.from({ length: 5 }, (_, world) => Chance.seeded(world)).every((chance) => {
    const guessed = new Map<string, Value>();
    const read = (fluent: string, key: Value) => {
      const held = state.held(fluent, key);
      if (held !== undefined) return held;
      const cell = `${fluent} ${valueKey(key)}`;
      const guess = guessed.get(cell) ?? someValue(chance, checked.fluents.get(fluent)!.value);
      guessed.set(cell, guess);
      return guess;
    };
    return condition(read) === true;
  });
}

function expectKnown(found: Value | Unknown | undefined, expected: Value | undefined): void {
  if (expected === undefined) return;
  expect(found === undefined || found instanceof Unknown ? "unknown" : valueKey(found)).toBe(
    valueKey(expected),
  );
}

/** Changes everything that can be changed below. */
function spoil(data: unknown): void {
  if (typeof data !== "object" || data === null) return;
  for (const part of Object.values(data)) spoil(part);
  if (Array.isArray(data)) data.push("spoilt");
  else Object.assign(data, { spoilt: true, id: "spoilt", amount: 1e6 });
}

/** The entry with one thing that the program would not have done, or could not have been told. */
function changes(program: ProgramCase, entry: TraceEntry): [string, TraceEntry][] {
  const tool = program.checked.tools.get(entry.tool)!;
  const { outcome, args, indices } = entry;
  const changed: [string, TraceEntry][] = [
    ["position", { ...entry, position: entry.position + 1 }],
    ["id", { ...entry, id: `${entry.id}x` }],
    ["indices", { ...entry, indices: [...indices, 0] }],
    ["tool", { ...entry, tool: `${entry.tool}x` }],
    ["field", { ...entry, args: record([...Object.entries(args.fields), ["further", 1n]]) }],
  ];
  const [first] = Object.entries(args.fields);
  if (first !== undefined)
    changed.push(["args", { ...entry, args: withField(args, first[0], list([first[1]])) }]);
  if (outcome.kind !== "returned") return changed;
  // No tool here returns a list of lists of lists of lists.
  const wrong = list([list([list([list(["wrong"])])])]);
  changed.push(["result", { ...entry, outcome: { kind: "returned", result: wrong } }]);
  if (tool.result !== undefined) changed.push(["no result", { ...entry, outcome: { kind: "returned" } }]);
  return tool.result?.kind === "json" || isJsonList(tool.result)
    ? changed.filter(([what]) => what !== "result")
    : changed;
}

function isJsonList(
  type: { readonly kind: string; readonly element?: { readonly kind: string } } | undefined,
): boolean {
  return type?.kind === "list" && (type.element?.kind === "json" || isJsonList(type.element));
}

function withField(args: RecordValue, name: string, value: Value): RecordValue {
  return record(Object.entries(args.fields).map(([field, held]) => [field, field === name ? value : held]));
}
