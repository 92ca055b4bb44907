/** Answers from the facts to the questions that a person asks first: whom, what, how often, at which cost. */
import {
  add,
  type Checked,
  clockTool,
  compare,
  isBuiltin,
  multiply,
  type Num,
  pauseTool,
  printExpr,
  randomTool,
  type Tool,
  type Type,
} from "../../ir/index.ts";
import type { GuaranteeProof, Proof } from "../../prove/index.ts";
import { numberText } from "../number-text.ts";
import { codeText } from "../visible.ts";
import { textOf, union } from "./constants.ts";
import type { FoundCall, MayAnswer, Observed } from "./effects.ts";

export const costQuestion = "what can it cost?";

export function answersOf(
  checked: Checked,
  calls: readonly FoundCall[],
  proof: Proof,
  observed: readonly Observed[] = [],
): MayAnswer[] {
  const made = calls.filter(({ most }) => most > 0);
  const tools = [...new Set(made.map(({ of }) => of))];
  const changing = tools.filter(({ reads }) => reads !== true);
  const of = (tool: Tool) => made.filter((call) => call.of === tool);
  return [
    ...tools
      .filter(({ reads }) => reads === true)
      .flatMap((tool) =>
        texts(tool, (name) => reached.test(name)).flatMap(([name, type]) =>
          given(tool, name, type, of(tool)),
        ),
      ),
    ...changing.flatMap((tool) => [
      ...texts(tool).flatMap(([name, type]) => given(tool, name, type, of(tool))),
      { question: `how often is ${codeText(tool.name)} called?`, answer: often(of(tool)) },
    ]),
    ...(changing.length === 0 ? [nothing(tools)] : []),
    ...cost(tools, of, proof),
    ...readings(observed),
    ...(checked.document.tools.some(({ name }) => !isBuiltin(name)) && made.length === 0
      ? [{ question: "does it call anything?", answer: ["no"] }]
      : []),
  ];
}

/** Answers about readings and pauses, which differ from run to run. */
function readings(observed: readonly Observed[]): MayAnswer[] {
  const asked = [
    [clockTool.name, "does it read the clock?", "the times that it reads are recorded, and are in UTC"],
    [randomTool.name, "does it leave anything to chance?", "the numbers that it draws are recorded"],
    [pauseTool.name, "does it wait?", "it pauses for an hour at most at a time"],
  ] as const;
  return asked.flatMap(([tool, question, then]) => {
    const found = observed.filter((one) => one.tool === tool);
    const lines = [...new Set(found.flatMap(({ line }) => line ?? []))];
    const where = lines.length === 0 ? "" : ` (line${lines.length === 1 ? "" : "s"} ${lines.join(", ")})`;
    return found.length === 0 ? [] : [{ question, answer: [`yes${where}: ${then}`] }];
  });
}

function nothing(tools: readonly Tool[]): MayAnswer {
  const names = tools.map(({ name }) => codeText(name));
  const answer = names.length === 0 ? ["no"] : [`no: it only reads, by ${names.join(", ")}`];
  return { question: "does it change anything?", answer };
}

// ── what it is given ─────────────────────────────────────────────────────────────────────────────────────

/** Also what only reads goes somewhere, and may carry something there. */
const reached = /^(url|uri|host|endpoint|path|file|folder)$/i;

function texts({ params }: Tool, wanted: (name: string) => boolean = () => true): [string, Type][] {
  return params.flatMap(({ name, type }) => (isText(type) && wanted(name) ? [[name, type]] : []));
}

function isText(type: Type): boolean {
  switch (type.kind) {
    case "string":
    case "enum":
      return true;
    case "option":
      return isText(type.value);
    case "list":
      return isText(type.element);
    default:
      return false;
  }
}

function given(tool: Tool, name: string, type: Type, calls: readonly FoundCall[]): MayAnswer[] {
  const passed = calls.filter(({ command }) => command.args.some((arg) => arg.name === name));
  if (passed.length === 0) return [];
  const possible = union(passed.map((call) => call.possible.get(name)));
  const answer = possible?.map(textOf) ?? unknownOnes(name, type, passed);
  return [{ question: question(tool, name), answer: [...new Set(answer)] }];
}

/** Constants, and what the others are, each with the calls that it is given to. */
function unknownOnes(name: string, type: Type, calls: readonly FoundCall[]): string[] {
  const constants = calls.flatMap((call) => call.possible.get(name)?.map(textOf) ?? []);
  const others = new Map<string, number[]>();
  for (const { number, args, possible } of calls) {
    if (possible.get(name) !== undefined) continue;
    const words = args.find((arg) => arg.name === name)?.value ?? "";
    others.set(words, [...(others.get(words) ?? []), number]);
  }
  const unknown = Array.from(others, ([words, numbers]) => {
    const which = numbers.length === 1 ? "call" : "calls";
    return `${anyValue(type)}: ${words} (${which} ${numbers.join(", ")})`;
  });
  return [...constants, ...unknown];
}

function anyValue(type: Type): string {
  return type.kind === "enum"
    ? `any of ${type.values.map((one) => JSON.stringify(one)).join(", ")}`
    : "any value";
}

/** The words that tool authors use for what people want to know; the name of the parameter is always there too. */
const usual: readonly {
  readonly names: RegExp;
  /** Only of tools that are called like this. */
  readonly tools?: RegExp;
  readonly question: (tool: string) => string;
}[] = [
  {
    names: /^(addr|address|email|recipients?|cc|bcc)$/i,
    question: (tool) => `who can be reached by ${tool}`,
  },
  {
    names: /^to$/i,
    tools: /mail|send|message|notify|sms|remind|invite|post/i,
    question: (tool) => `who can be reached by ${tool}`,
  },
  { names: /^(path|file|folder)$/i, question: (tool) => `which files does ${tool} act on` },
  { names: /^(url|uri|host|endpoint)$/i, question: (tool) => `which addresses does ${tool} reach` },
  { names: /^(account|iban)$/i, question: (tool) => `which accounts does ${tool} touch` },
  { names: /^(door|room|device|table)$/i, question: (tool) => `what does ${tool} act on` },
  { names: /^(msg|message|body|text|subject|content)$/i, question: (tool) => `what is said by ${tool}` },
];

function question(tool: Tool, name: string): string {
  const of = codeText(tool.name);
  const known = usual.find(({ names, tools }) => names.test(name) && tools?.test(tool.name) !== false);
  return known === undefined
    ? `what can ${codeText(name)} of ${of} be?`
    : `${known.question(of)} (${codeText(name)})?`;
}

// ── how often, and at which cost ─────────────────────────────────────────────────────────────────────────

/** Returns the most calls that a run makes, in words. */
export function often(calls: readonly FoundCall[]): string[] {
  const fixed = calls.filter(({ unbounded }) => !unbounded).reduce((sum, { most }) => sum + most, 0);
  const loops = calls.filter(({ unbounded }) => unbounded);
  const always = calls.every(({ when, each }) => when === null && each === null);
  const once = fixed === 1 ? "once" : `${fixed} times`;
  return [
    ...(fixed === 0
      ? []
      : [`${always ? "" : "at most "}${once}${always ? ", unless the run stops before" : ""}`]),
    ...loops.map(({ most, each, number }) => {
      const times = most === 1 ? "once" : `${most} times`;
      return `at most ${times} for ${each ?? "each iteration of a loop"} (call ${number})`;
    }),
  ];
}

function cost(tools: readonly Tool[], of: (tool: Tool) => readonly FoundCall[], proof: Proof): MayAnswer[] {
  const priced = tools.filter((tool) => tool.cost !== undefined);
  const question = costQuestion;
  if (priced.length === 0) return [];
  const calls = priced.flatMap(of);
  const costs = calls.map((call) => ({ call, each: costOf(call) }));
  const lines = costs.map(({ call, each }) => costWords(call, each));
  let total: Num | undefined = 0n;
  for (const { call, each } of costs) {
    if (total === undefined) break;
    total = each === undefined || call.unbounded ? undefined : add(total, multiply(each, BigInt(call.most)));
  }
  const proved = provedTotal(priced, proof);
  if (proved !== undefined && (total === undefined || compare(proved, total) <= 0))
    return [{ question, answer: [`at most ${numberText(proved)} (proved)`, ...lines] }];
  const isOne = costs.length === 1 && calls[0]?.most === 1;
  return [
    {
      question,
      answer: total === undefined || isOne ? lines : [`at most ${numberText(total)} in all`, ...lines],
    },
  ];
}

/** Returns the sum of the proved bounds, if there is one for every tool. */
function provedTotal(tools: readonly Tool[], proof: Proof): Num | undefined {
  let total: Num = 0n;
  for (const tool of tools) {
    const bounds = proof.guarantees.flatMap((one) => provedBound(tool, one) ?? []);
    const [first, ...others] = bounds;
    if (first === undefined) return undefined;
    total = add(
      total,
      others.reduce((least, one) => (compare(one, least) < 0 ? one : least), first),
    );
  }
  return total;
}

/**
 * Returns the bound that a proved guarantee puts on the cost of all calls of a tool: `sum(c in tool: c.cost) <= bound`.
 * SOUNDNESS: the guarantee also holds if the run stops early, and its sum ranges over all calls, those that failed among
 * them.
 */
function provedBound(
  { name, cost }: Tool,
  { guarantee, verdict, interruption }: GuaranteeProof,
): Num | undefined {
  const { formula } = guarantee;
  if (verdict.kind !== "proved" || interruption?.kind !== "safe" || cost?.kind !== "var") return undefined;
  if (formula?.kind !== "op" || formula.op !== "<=") return undefined;
  const [sum, bound] = formula.args;
  if (sum?.kind !== "aggregate" || sum.aggregate !== "sum" || bound?.kind !== "number") return undefined;
  const { over, value } = sum;
  const isAll = over.in.kind === "calls" && over.in.tool === name && over.where === undefined;
  const isCost =
    value?.kind === "field" &&
    value.name === cost.name &&
    value.of.kind === "var" &&
    value.of.name === over.var;
  return isAll && isCost ? bound.value : undefined;
}

function costWords(call: FoundCall, each: Num | undefined): string {
  const name = `${codeText(call.tool)} (call ${call.number})`;
  const { cost } = call.of;
  const often = call.unbounded
    ? `, for ${call.each ?? "each iteration of a loop"}`
    : call.most > 1
      ? `, up to ${call.most} times`
      : "";
  if (each !== undefined) return `at most ${numberText(each)} by ${name}${often}`;
  const given = cost?.kind === "var" ? call.args.find((arg) => arg.name === cost.name) : undefined;
  const words = given === undefined ? (cost === undefined ? "" : codeText(printExpr(cost))) : given.value;
  return `${words} by ${name}${often}`;
}

/** Returns the highest cost of one call, if it is a constant. */
function costOf({ of: { cost }, possible }: FoundCall): Num | undefined {
  if (cost?.kind === "number") return cost.value;
  if (cost?.kind !== "var") return undefined;
  const numbers = possible.get(cost.name)?.map((one) => (one.kind === "value" ? one.number : undefined));
  if (numbers === undefined || !numbers.every((one) => one !== undefined)) return undefined;
  return numbers.reduce<Num>((most, one) => (compare(one, most) > 0 ? one : most), 0n);
}
