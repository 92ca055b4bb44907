/** The state of a kernel beside the world, for people. */
import type { ReconcileReport } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { CellView } from "../../../run/index.ts";
import { columnsOf, paintOf } from "../../failure.ts";
import type { Output } from "../../host.ts";
import { table } from "../../text/table.ts";

/** LIMIT: of cells that people see; `--json` has all of them. */
const mostCells = 50;

export function reconcileText(report: ReconcileReport, output: Output): string {
  const { cells, outcomes, resumed, stopped, probes, isUnsettled } = report;
  if (probes === 0) return "no fluent has a probe, so nothing was compared\n";
  const open = cells.filter(({ state }) => state !== "agrees");
  const { green, red, dim } = paintOf(output);
  const lines = [
    open.length === 0
      ? `${green("agrees")}  ${count(cells.length, "cell")} of ${count(probes, "fluent")} compared\n`
      : `${red("differs")}  ${open.length} of ${count(cells.length, "cell")} compared\n`,
  ];
  if (open.length > 0) lines.push(`${cellTable(open.slice(0, mostCells), output)}\n`);
  if (open.length > mostCells) lines.push(dim(`and ${open.length - mostCells} more\n`));
  if (isUnsettled) lines.push("other writers kept changing the state; compare again\n");
  for (const { verdict, seq, reasons } of outcomes) {
    const what =
      verdict === "allowed"
        ? "the world's values were taken"
        : reasons.map(({ message }) => message).join("; ");
    lines.push(`entry ${seq}: ${visibleText(what)}\n`);
  }
  if (resumed !== undefined) lines.push(`entry ${resumed.seq}: the kernel goes on\n`);
  if (stopped !== undefined) lines.push(`${red("stopped")}  ${visibleText(stopped)}\n`);
  return lines.join("");
}

function cellTable(cells: readonly CellView[], output: Output): string {
  const columns = [
    { title: "cell", least: 12 },
    { title: "state" },
    { title: "model", least: 8 },
    { title: "world", least: 8 },
    { title: "why", least: 12 },
  ];
  const rows = cells.map(({ cell, state, model, world, initial, why = "" }) =>
    [cell, state, `${model ?? "-"}${initial ? " (initial)" : ""}`, world ?? "-", why].map((text) => ({
      text,
    })),
  );
  const paint = paintOf(output);
  const options = { width: columnsOf(output), cutSign: paint.signs.cut, head: paint.dim };
  return table(columns, rows, options).flat().join("\n");
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
