/**
 * Risks of a program, from the document and the facts of its proof: the changes that it makes, the choices that untrusted
 * data makes for it, and the changes that no proved guarantee is about.
 * SOUNDNESS: flows are those of the Effect IR's meaning, "may carry data of", so that no choice is omitted. A guarantee counts
 * only if it is proved and says something.
 */
import {
  answerLabel,
  type Checked,
  commandsIn,
  exprsIn,
  flowOf,
  nodesOf,
  type Path,
  programExprs,
} from "../../ir/index.ts";
import type { Proof } from "../../prove/index.ts";
import { isAbout } from "../about.ts";
import { isVacuous } from "../english.ts";
import { lookAlikes } from "../look-alikes.ts";
import { often } from "./answers.ts";
import { callsOf, type FoundCall } from "./effects.ts";

export interface Risks {
  /** The tools that it calls and that change something, in the order of the program. */
  readonly changes: readonly ChangingTool[];
  readonly choices: readonly UntrustedChoice[];
  /** Tools whose results only some may read, and that the answer or a note may carry to the agent that asked for the run. */
  readonly tells: readonly string[];
  /** Texts of the program and its guarantees with letters of other scripts that look Latin. */
  readonly lookAlikes: readonly string[];
}

export interface ChangingTool {
  readonly tool: string;
  /** The most calls of a run, in words. */
  readonly often: readonly string[];
  /** True if a proved guarantee is about its calls or effects. */
  readonly isGuaranteed: boolean;
}

/** Untrusted data that decides about a change, or about an address that a tool reads from and so tells something. */
export interface UntrustedChoice {
  readonly tool: string;
  /** The argument that it may choose; null if it decides whether, or how often, the call is made. */
  readonly argument: string | null;
  /** The tools whose results it may come from; none for the text of a failure. */
  readonly from: readonly string[];
  readonly line: number | null;
}

export function risksOf(
  checked: Checked,
  proof: Proof,
  lineOf: (path: Path) => number | undefined = () => undefined,
): Risks {
  const made = callsOf(checked, proof, lineOf).filter(({ most }) => most > 0);
  const calls = made.filter(({ reads }) => !reads);
  const tools = [...new Set(calls.map(({ of }) => of))];
  const stated = proof.guarantees
    .filter(({ guarantee, verdict }) => verdict.kind === "proved" && !isVacuous(guarantee.formula))
    .map(({ guarantee }) => isAbout(checked, guarantee.formula));
  return {
    changes: tools.map(({ name }) => ({
      tool: name,
      often: often(calls.filter(({ tool }) => tool === name)),
      isGuaranteed: stated.some((isAboutTool) => isAboutTool(name)),
    })),
    choices: choicesOf(checked, made),
    tells: tellsOf(checked),
    lookAlikes: lookAlikesIn(checked),
  };
}

/** Labels by which tool modules usually mark data that is not for everybody. */
const privateLabel = /^(?:secret|secrets|pii|personal|private|restricted|confidential)$/i;

function tellsOf(checked: Checked): string[] {
  const { tools, program } = checked.document;
  const own = tools.filter(
    ({ readers, labels = [] }) => readers !== undefined || labels.some((one) => privateLabel.test(one)),
  );
  if (own.length === 0) return [];
  const flow = flowOf(checked);
  const told = [...commandsIn(program.body)].flatMap((command) =>
    command.kind === "call" && checked.tools.get(command.tool)?.labels?.includes(answerLabel) === true
      ? nodesOf(flow.call(command.id).args)
      : [],
  );
  return own
    .map(({ name }) => name)
    .filter((name) => flow.into(told, { kind: "tool", tool: name }) !== undefined);
}

/** LIMIT: of texts that are told. */
const mostTexts = 20;

function lookAlikesIn({ document }: Checked): string[] {
  const formulas = document.guarantees.map(({ formula }) => formula);
  const found = new Set<string>();
  for (const expr of exprsIn(...programExprs(document), ...formulas)) {
    if (expr.kind === "string" && found.size < mostTexts && lookAlikes(expr.value).size > 0)
      found.add(expr.value);
  }
  return [...found];
}

/** Arguments of reading tools that carry data out. */
const address = /^(?:url|uri|host|endpoint)$/i;

function choicesOf(checked: Checked, calls: readonly FoundCall[]): UntrustedChoice[] {
  const flow = flowOf(checked);
  const sources = checked.document.tools.filter(({ untrusted }) => untrusted === true);
  const found = new Map<string, UntrustedChoice>();
  for (const { command, tool, line, reads } of calls) {
    const { args, guard } = flow.call(command.id);
    const parts = [
      ...Array.from(args.fields, ([name, { present, value }]) => {
        return [name, [...nodesOf(value), ...(present === undefined ? [] : [present])]] as const;
      }),
      [null, [guard]] as const,
    ];
    for (const [argument, nodes] of parts) {
      if (reads && (argument === null || !address.test(argument))) continue;
      if (flow.into(nodes, { kind: "untrusted" }) === undefined) continue;
      const from = sources
        .map(({ name }) => name)
        .filter((name) => flow.into(nodes, { kind: "tool", tool: name }) !== undefined);
      const key = `${tool} ${argument ?? ""}`;
      const known = found.get(key);
      const all = [...new Set([...(known?.from ?? []), ...from])];
      found.set(key, { tool, argument, from: all, line: known?.line ?? line });
    }
  }
  return [...found.values()];
}
