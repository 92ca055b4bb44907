import { describe, expect, it } from "vitest";
import { guard, Kernel, MemoryLog, NotDone } from "./kernel.ts";
import { type TelemetryApi, type TelemetryAttributes, traced } from "./telemetry.ts";

interface Span {
  readonly name: string;
  readonly attributes: TelemetryAttributes;
  readonly parent: string | undefined;
  status?: number;
  ended: boolean;
}

/** Keeps what it is told, as an SDK would. */
function recorder() {
  const spans: Span[] = [];
  const counted: TelemetryAttributes[] = [];
  const recorded: number[] = [];
  let active: Span | undefined;
  const api: TelemetryApi = {
    trace: {
      getTracer: () => ({
        startActiveSpan: (name, { attributes = {} }, work) => {
          const span: Span = { name, attributes: { ...attributes }, parent: active?.name, ended: false };
          spans.push(span);
          const before = active;
          active = span;
          try {
            return work({
              setAttributes: (more) => Object.assign(span.attributes, more),
              setStatus: ({ code }) => {
                span.status = code;
              },
              end: () => {
                span.ended = true;
              },
            });
          } finally {
            active = before;
          }
        },
      }),
    },
    metrics: {
      getMeter: () => ({
        createCounter: () => ({ add: (_, attributes) => counted.push(attributes) }),
        createHistogram: () => ({ record: (value) => recorded.push(value) }),
      }),
    },
  };
  return { api, spans, counted, recorded };
}

async function opened(ledger = new MemoryLog()): Promise<Kernel> {
  const kernel = await Kernel.open({ ledger, policy: { budgets: { usd: "10" } }, clock: () => 0 });
  if (!kernel.ok) throw new Error(kernel.problem.message);
  return kernel.value;
}

describe("a traced kernel", () => {
  it("tells of each decision, and nothing of what is in it", async () => {
    const { api, spans, counted, recorded } = recorder();
    const kernel = traced(await opened(), api, "agents");
    const secret = { key: "secret", op: "set", value: "a secret" };
    await kernel.execute({ id: "pay", effects: [secret], args: { to: "a secret" }, cost: "3" });
    await kernel.execute({ id: "big", effects: [], cost: "100" });
    expect(spans).toEqual([
      {
        name: "foreclaim.kernel execute",
        parent: undefined,
        ended: true,
        attributes: {
          "foreclaim.kernel": "agents",
          "foreclaim.action": "pay",
          "foreclaim.verdict": "allowed",
          "foreclaim.seq": 2,
        },
      },
      {
        name: "foreclaim.kernel execute",
        parent: undefined,
        ended: true,
        attributes: {
          "foreclaim.kernel": "agents",
          "foreclaim.action": "big",
          "foreclaim.verdict": "refused",
          "foreclaim.seq": 3,
          "foreclaim.reasons": ["budget"],
        },
      },
    ]);
    expect(counted.map((labels) => labels["foreclaim.verdict"])).toEqual(["allowed", "refused"]);
    expect(recorded).toHaveLength(2);
    expect(JSON.stringify(spans)).not.toContain("secret");
  });

  it("decides as any other", async () => {
    const plain = await opened();
    const told = traced(await opened(), recorder().api);
    const actions = [{ id: "a", effects: [], cost: 4 }, { id: "b", cost: true }, null, { id: "c", cost: 7 }];
    for (const action of actions) {
      const { verdict, reasons } = await plain.execute(action);
      expect(await told.execute(action)).toMatchObject({ verdict, reasons });
    }
    expect(told.status().budgets).toEqual(plain.status().budgets);
  });

  it("tells of both phases of a call, in doubt as an error", async () => {
    const { api, spans } = recorder();
    const kernel = traced(await opened(), api);
    const call = guard(
      async (what: string) => {
        if (what === "not done") throw new NotDone("no");
        if (what === "lost") throw new Error("lost");
      },
      { id: "call", kernel, cost: "1" },
    );
    for (const what of ["fine", "not done", "lost"]) await call(what).catch(() => undefined);
    expect(
      spans.map(({ name, status, attributes }) => [name, attributes["foreclaim.verdict"], status]),
    ).toEqual([
      ["foreclaim.kernel perform", "done", undefined],
      ["foreclaim.kernel reserve", "allowed", undefined],
      ["foreclaim.kernel settle", "allowed", undefined],
      ["foreclaim.kernel perform", "released", undefined],
      ["foreclaim.kernel reserve", "allowed", undefined],
      ["foreclaim.kernel release", "allowed", undefined],
      ["foreclaim.kernel perform", "in doubt", 2],
      ["foreclaim.kernel reserve", "allowed", undefined],
    ]);
    expect(spans.every(({ ended }) => ended)).toBe(true);
  });

  it("tells of a ledger that fails, and throws it on", async () => {
    const { api, spans, counted } = recorder();
    const ledger = new MemoryLog();
    const kernel = traced(await opened(ledger), api);
    ledger.transact = async () => {
      throw new Error("away");
    };
    await expect(kernel.execute({ id: "a", effects: [] })).rejects.toThrow("away");
    expect(spans[0]).toMatchObject({ status: 2, ended: true });
    expect(counted[0]).toMatchObject({ "foreclaim.verdict": "failed" });
  });

  it("is not stopped by what it is handed", async () => {
    const kernel = traced(await opened(), recorder().api);
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
      },
    );
    expect((await kernel.execute(trap)).verdict).toBe("refused");
  });
});
