/**
 * `foreclaim/telemetry`: spans and metrics of a kernel, through the OpenTelemetry API that the caller brings. Nothing is
 * imported for it, and a kernel that is not given to `traced` knows nothing of it. What is told is which action, which
 * verdict and how long: never arguments, state or costs, which may be nobody else's business.
 */
import type { Kernel, Outcome } from "./kernel/index.ts";
import { perform } from "./kernel/index.ts";

/** The used part of `@opentelemetry/api`, version 1: `import * as api from "@opentelemetry/api"`. */
export interface TelemetryApi {
  readonly trace: { getTracer(name: string): TelemetryTracer };
  readonly metrics: { getMeter(name: string): TelemetryMeter };
}

export interface TelemetryTracer {
  startActiveSpan<T>(
    name: string,
    options: { readonly attributes?: TelemetryAttributes },
    work: (span: TelemetrySpan) => T,
  ): T;
}

export interface TelemetrySpan {
  setAttributes(attributes: TelemetryAttributes): unknown;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  end(): void;
}

export interface TelemetryMeter {
  createCounter(
    name: string,
    options: TelemetryInstrument,
  ): {
    add(value: number, attributes: TelemetryAttributes): void;
  };
  createHistogram(
    name: string,
    options: TelemetryInstrument,
  ): {
    record(value: number, attributes: TelemetryAttributes): void;
  };
}

export interface TelemetryInstrument {
  readonly description?: string;
  readonly unit?: string;
}

export type TelemetryAttributes = Record<string, string | number | string[]>;

/** `SpanStatusCode.ERROR`. */
const errorStatus = 2;

/** Makes a kernel tell of everything it is asked for; gives the same kernel back. */
export function traced(kernel: Kernel, api: TelemetryApi, name = "main"): Kernel {
  const tracer = api.trace.getTracer("foreclaim");
  const meter = api.metrics.getMeter("foreclaim");
  const decisions = meter.createCounter("foreclaim.kernel.decisions", {
    description: "what was asked of a kernel, by kind and verdict",
    unit: "{decision}",
  });
  const duration = meter.createHistogram("foreclaim.kernel.duration", {
    description: "how long it took until the verdict was durable",
    unit: "ms",
  });

  const told = <T>(
    kind: string,
    about: TelemetryAttributes,
    work: () => Promise<T>,
    end: (result: T) => Told,
  ) => {
    const attributes = { "foreclaim.kernel": name, ...about };
    return tracer.startActiveSpan(`foreclaim.kernel ${kind}`, { attributes }, async (span) => {
      const startMs = performance.now();
      let verdict = "failed";
      try {
        const result = await work();
        const { found, isProblem } = end(result);
        verdict = String(found["foreclaim.verdict"] ?? "done");
        span.setAttributes(found);
        // Refusals are what a kernel is for: they are not errors of it.
        if (isProblem) span.setStatus({ code: errorStatus });
        return result;
      } catch (thrown) {
        span.setStatus({ code: errorStatus, message: thrown instanceof Error ? thrown.name : "thrown" });
        throw thrown;
      } finally {
        const labels = { "foreclaim.kernel": name, "foreclaim.kind": kind, "foreclaim.verdict": verdict };
        decisions.add(1, labels);
        duration.record(performance.now() - startMs, labels);
        span.end();
      }
    });
  };

  const { execute, reserve, settle, release, rollback } = methodsOf(kernel);
  kernel.execute = (action) => told("execute", idOf(action), () => execute(action), ofOutcome);
  kernel.reserve = (action, key) => told("reserve", idOf(action), () => reserve(action, key), ofOutcome);
  kernel.settle = (receipt, how) => told("settle", {}, () => settle(receipt, how), ofOutcome);
  kernel.release = (receipt, reason) => told("release", {}, () => release(receipt, reason), ofOutcome);
  kernel.rollback = (from, to) => told("rollback", {}, () => rollback(from, to), ofOutcome);
  kernel.perform = (action, handler, options) =>
    told(
      "perform",
      idOf(action),
      () => perform(kernel, action, handler, options),
      ({ kind }) => ({
        found: { "foreclaim.verdict": kind },
        isProblem: kind === "in doubt",
      }),
    );
  return kernel;
}

interface Told {
  readonly found: TelemetryAttributes;
  readonly isProblem: boolean;
}

function ofOutcome({ verdict, reasons, seq }: Outcome): Told {
  const codes = reasons.map(({ code }) => code);
  return {
    found: {
      "foreclaim.verdict": verdict,
      "foreclaim.seq": seq,
      ...(codes.length === 0 ? {} : { "foreclaim.reasons": codes }),
    },
    isProblem: false,
  };
}

function methodsOf(kernel: Kernel) {
  return {
    execute: kernel.execute.bind(kernel),
    reserve: kernel.reserve.bind(kernel),
    settle: kernel.settle.bind(kernel),
    release: kernel.release.bind(kernel),
    rollback: kernel.rollback.bind(kernel),
  };
}

/** Reads the id of an action, which may be a proxy: only a plain string is reported, and nothing is thrown. */
function idOf(action: unknown): TelemetryAttributes {
  try {
    const id: unknown = typeof action === "object" && action !== null ? Reflect.get(action, "id") : undefined;
    return typeof id === "string" ? { "foreclaim.action": id.slice(0, 128) } : {};
  } catch {
    return {};
  }
}
