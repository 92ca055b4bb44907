/** `kernel status`: what a kernel has spent, holds and is in doubt about, from its whole trace, which is verified by that. */

import {
  addressOf,
  entriesText,
  grouped,
  type KernelChoice,
  requireKernel,
  statusJson,
  traceOf,
  withLedger,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok } from "../../../ir/index.ts";
import {
  canonicalText,
  entriesOf as cellsOf,
  type KernelState,
  LedgerBroken,
  type Status,
  statusOf,
} from "../../../kernel/index.ts";
import type { Ended } from "../../command-spec.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import { columnsOf, paintOf } from "../../failure.ts";
import type { Host, Output } from "../../host.ts";
import { cut } from "../../text/width.ts";
import { verifiedWithProgress } from "../trace/verified.ts";
import { timeText } from "./render.ts";

export async function kernelStatus(host: Host, ledger: string, options: KernelChoice): Promise<Ended> {
  const address = addressOf(ledger);
  if (!address.ok) return address;
  const { stdout } = host;
  const told = await withLedger(
    host,
    address.value,
    async (opened) => {
      const absent = await requireKernel(opened, address.value, options.kernel);
      if (absent !== undefined) return absent;
      // Functions of the policy are not at hand; what they answered stands in the trace.
      const { problem, state } = await verifiedWithProgress(
        host,
        traceOf(opened, address.value, options.kernel),
      );
      if (problem !== undefined || state === undefined) {
        throw new LedgerBroken(`entry ${problem?.seq}: ${problem?.what}`);
      }
      const status = statusOf(state, host.wallMs());
      const text = options.json ? statusJson(status) : statusText(state, status, address.value.shown, stdout);
      await stdout.write(text);
      return ok<ExitCode>(fine);
    },
    "read",
  );
  return told.ok ? told.value : told;
}

/** LIMIT: of keys that people see; `--json` has all of them. */
const mostKeys = 50;

function statusText(state: KernelState, status: Status, shown: string, output: Output): string {
  const { bold, dim, red, yellow } = paintOf(output);
  const { maxSteps } = state.policy;
  const most = maxSteps === undefined ? "" : ` of ${grouped(maxSteps)}`;
  const lines = [
    `${bold(visibleText(shown))}  kernel \`${visibleText(state.name)}\`, version ${status.version}, ${entriesText(status.seq)}`,
    ...(status.stopped === undefined ? [] : [`${red("stopped")}  ${visibleText(status.stopped)}`]),
    "",
    ...Object.entries(status.budgets).map(
      ([name, { limit, net, reserved, left }]) =>
        `  ${dim("budget")}  ${visibleText(name)}: ${net} of ${limit} spent${reserved === "0" ? "" : `, ${reserved} held`}, ${left} left`,
    ),
    `  ${dim("steps")}   ${grouped(status.steps)}${most}, and ${grouped(status.refusals)} refused`,
    ...stateLines(state, output),
  ];
  if (status.inDoubt.length > 0) {
    lines.push("", `${yellow("in doubt")}: the outcome of these is unknown`);
    for (const { receipt, action, key, time } of status.inDoubt) {
      lines.push(
        `  ${visibleText(action)}  since ${timeText(time)}${key === undefined ? "" : `, key \`${visibleText(key)}\``}`,
        `    ${dim("receipt")} ${receipt}`,
      );
    }
    lines.push(
      `  find out, then run \`foreclaim kernel resolve ${visibleText(shown)} <receipt>\` with --settle or --release`,
    );
  }
  return `${lines.join("\n")}\n`;
}

function stateLines({ data }: KernelState, output: Output): string[] {
  const { dim, signs } = paintOf(output);
  const cells = [...cellsOf(data)].sort(([a], [b]) => (a < b ? -1 : 1));
  if (cells.length === 0) return [`  ${dim("state")}   no keys`];
  const shown = cells.slice(0, mostKeys).map(([key, value], i) => {
    const line = `${visibleText(key)} = ${visibleText(canonicalText(value))}`;
    return `  ${dim(i === 0 ? "state " : "      ")}  ${cut(line, columnsOf(output) - 10, signs.cut)}`;
  });
  const more = cells.length - shown.length;
  return more > 0 ? [...shown, `          ${dim(`and ${grouped(more)} more; --json has them all`)}`] : shown;
}
