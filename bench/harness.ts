/**
 * Measures work at several sizes and shows how its cost grows: `growth` near 1.0 is linear, near 2.0 means
 * that doubling the size doubles the cost per unit. Results also go to bench/results/latest.json.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";
import { do_not_optimize, measure } from "mitata";

export type Case = {
  readonly name: string;
  /** Amount of work of a run, in the unit of the case. */
  readonly size: number;
  /** The work; what it returns is kept alive, so that it is not optimized away. */
  readonly run: () => unknown;
};

export type Timing = { readonly name: string; readonly size: number; readonly nsPerRun: number };

/** `growth` is missing for the first size of a name. */
type Row = Timing & { readonly nsPerUnit: number; readonly growth?: number };

type Result = {
  readonly group: string;
  readonly node: string;
  readonly cpu: string;
  readonly rows: readonly Row[];
};

const RESULTS = "bench/results/latest.json";

/** Measures the cases one after the other and reports them. */
export async function bench(group: string, cases: readonly Case[]): Promise<void> {
  const timings: Timing[] = [];
  for (const { name, size, run } of cases) {
    const { p50 } = await measure(() => {
      const result = run();
      do_not_optimize(result);
      return result; // a promise is waited for
    });
    timings.push({ name, size, nsPerRun: p50 });
  }
  report(group, timings);
}

/** Prints a table of timings, however they were taken, and keeps them. */
export function report(group: string, timings: readonly Timing[]): void {
  const rows = timings.map((timing, index) => rowFor(timing, timings.slice(0, index)));
  const table = [
    ["name", "size", "per run", "per unit", "growth"],
    ...rows.map((row) => [
      row.name,
      row.size.toLocaleString("en"),
      duration(row.nsPerRun),
      duration(row.nsPerUnit),
      row.growth?.toFixed(2) ?? "",
    ]),
  ];
  console.log(`\n${group}\n${aligned(table)}`);
  keep(group, rows);
}

function rowFor(timing: Timing, earlier: readonly Timing[]): Row {
  const nsPerUnit = timing.nsPerRun / timing.size;
  const previous = earlier.findLast(({ name }) => name === timing.name);
  if (previous === undefined) return { ...timing, nsPerUnit };
  const growth = timing.nsPerRun / previous.nsPerRun / (timing.size / previous.size);
  return { ...timing, nsPerUnit, growth };
}

function duration(ns: number): string {
  if (ns >= 1e9) return `${(ns / 1e9).toFixed(2)} s`;
  if (ns >= 1e6) return `${(ns / 1e6).toFixed(2)} ms`;
  if (ns >= 1e3) return `${(ns / 1e3).toFixed(2)} µs`;
  return `${ns.toFixed(1)} ns`;
}

function aligned(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
  return table.map((row) => `  ${line(row).join("  ")}`).join("\n");
}

/** Every group runs in a process of its own, so each adds itself to the file. */
function keep(group: string, rows: readonly Row[]): void {
  const others = readResults().filter((result) => result.group !== group);
  const result: Result = { group, node: process.version, cpu: cpus()[0]?.model ?? "unknown", rows };
  mkdirSync(dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify([...others, result], null, 2)}\n`);
}

function readResults(): readonly Result[] {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : [];
}
