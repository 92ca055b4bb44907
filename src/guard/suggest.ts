/**
 * From observed sessions to standing guarantees: of each contract of the tool modules, the tightest arguments that the
 * history allows. Each is replayed on the history and on attacks before anybody is shown it.
 */
import { dirname } from "node:path/posix";
import { type Failure, firstFailure, guaranteeText, nodeFiles, visibleTools } from "../app/index.ts";
import {
  type Checked,
  defaultOf,
  type Expr,
  exprsIn,
  type Field,
  fromJs,
  isRecord,
  ok,
  printExpr,
  printFields,
  type RecordValue,
  type Result,
  record,
  recordOf,
  Standing,
  type Tool,
  type Value,
} from "../ir/index.ts";
import type { PastCall } from "./history.ts";
import { openSession } from "./open-session.ts";

export interface Suggestion {
  /** The contract with its arguments, as it is accepted. */
  readonly stated: string;
  /** The words of the author of the contract, with its arguments; its meaning where there are none. */
  readonly sentence: string;
  /** Its meaning, call by call. */
  readonly meaning: string;
  /** Attacks that it refuses, and some of them in words. */
  readonly refuses: number;
  readonly examples: readonly string[];
  /** True if it also refuses one more call like an observed one, as a count does that was just reached. */
  readonly refusesMore: boolean;
}

export interface Suggestions {
  readonly calls: number;
  readonly sessions: number;
  /** Calls whose arguments are not as their tool declares: they would be refused in any case. */
  readonly unreadable: number;
  readonly attacks: number;
  readonly suggestions: readonly Suggestion[];
}

export interface SuggestOptions {
  readonly folder: string;
  readonly modules?: readonly string[];
}

interface Contract {
  readonly name: string;
  readonly params: readonly Field[];
  readonly formula: Expr;
  /** The comment of its author. */
  readonly doc?: string | undefined;
}

interface ReadCall {
  readonly session: string;
  readonly tool: string;
  readonly args: RecordValue;
}

interface Attack {
  readonly tool: string;
  readonly args: RecordValue;
  readonly words: string;
  /** True for an observed call that is made again. */
  readonly isRepeat?: true;
}

export async function suggest(
  history: readonly PastCall[],
  { folder, modules }: SuggestOptions,
): Promise<Result<Suggestions, Failure>> {
  const visible = await visibleTools(nodeFiles, [folder], modules);
  if (visible.kind === "failed") return firstFailure(visible.failures);
  const compiled = visible.folders.map((one) => one.compiled);
  const tools = new Map(compiled.flatMap((one) => one.tools.map((tool) => [tool.name, tool] as const)));
  const calls = readable(history, tools);
  const used = new Set(calls.map(({ tool }) => moduleOf(tool)));
  const attacks = attacksOn(calls, tools, used);
  const found: Suggestion[] = [];
  const trial = new Trial({ folder, ...(modules && { modules }), tools: [...tools.keys()] }, calls, attacks);
  const docs = new Map(
    compiled.flatMap((one) => one.declarations.map(({ name, doc }) => [name, doc] as const)),
  );
  const contracts = compiled.flatMap((one) => one.contracts);
  for (const contract of contracts.map((one): Contract => ({ ...one, doc: docs.get(one.name) }))) {
    if (!used.has(moduleOf(contract.name)) || contract.formula.kind === "bool") continue;
    for (const args of argumentsFor(contract, calls, tools)) {
      const tried = await trial.of(contract, args);
      if (tried !== undefined) found.push(tried);
    }
  }
  return ok({
    calls: calls.length,
    sessions: new Set(calls.map(({ session }) => session)).size,
    unreadable: history.length - calls.length,
    attacks: attacks.length,
    // One that leaves no room for further work comes last.
    suggestions: found.sort(
      (a, b) =>
        Number(a.refusesMore) - Number(b.refusesMore) ||
        b.refuses - a.refuses ||
        (a.stated < b.stated ? -1 : 1),
    ),
  });
}

function moduleOf(name: string): string {
  return name.slice(0, name.lastIndexOf("."));
}

function readable(history: readonly PastCall[], tools: ReadonlyMap<string, Tool>): readonly ReadCall[] {
  return history.flatMap(({ session, tool: name, args }) => {
    const tool = tools.get(name);
    const read = tool === undefined ? undefined : fromJs(args ?? {}, recordOf(tool.params));
    return read?.ok === true && isRecord(read.value) ? [{ session, tool: name, args: read.value }] : [];
  });
}

// ── arguments ────────────────────────────────────────────────────────────────────────────────────────────

/** LIMIT: of values that one contract lists. */
const mostValues = 20;
/** LIMIT: of folders and addresses that one contract lists. */
const mostRoots = 5;

type Argument = readonly string[] | number;

/** The arguments to try, as they are written; a number is looked for. */
function argumentsFor(
  { name, params, formula }: Contract,
  calls: readonly ReadCall[],
  tools: ReadonlyMap<string, Tool>,
): readonly (readonly Argument[])[] {
  const [param, ...others] = params;
  if (param === undefined) return [[]];
  if (others.length > 0) return [];
  if (param.type.kind === "int" || param.type.kind === "real") return [[Number.NaN]];
  if (param.type.kind !== "list") return [];
  const { element } = param.type;
  if (element.kind === "enum") {
    const module = moduleOf(name);
    if (!element.values.every((one) => tools.has(`${module}.${one}`))) return [];
    const called = new Set(calls.map(({ tool }) => tool));
    const never = element.values.filter((one) => !called.has(`${module}.${one}`));
    return never.length === 0 ? [] : [[never]];
  }
  if (element.kind !== "string") return [];
  const values = valuesOf(
    formula,
    calls.filter(({ tool }) => moduleOf(tool) === moduleOf(name)),
  );
  if (values.length === 0) return [];
  if (usesOperator(formula, "pathInside")) return rootsOf(values, foldersOf);
  if (usesOperator(formula, "urlInside")) return rootsOf(values, addressesOf);
  return values.length <= mostValues ? [[values]] : [];
}

/** The texts that calls gave to the fields that the contract speaks of. */
function valuesOf(formula: Expr, calls: readonly ReadCall[]): readonly string[] {
  const fields = new Set([...exprsIn(formula)].flatMap((one) => (one.kind === "field" ? [one.name] : [])));
  const found = new Set<string>();
  for (const { args } of calls)
    for (const field of fields) {
      const value: Value | undefined = args.fields[field];
      for (const one of Array.isArray(value) ? value : [value]) if (typeof one === "string") found.add(one);
    }
  return [...found].sort();
}

function usesOperator(formula: Expr, op: string): boolean {
  return [...exprsIn(formula)].some((one) => one.kind === "op" && one.op === op);
}

function rootsOf(
  values: readonly string[],
  roots: (values: readonly string[]) => readonly string[],
): readonly (readonly Argument[])[] {
  const found = roots(values);
  return found.length === 0 || found.length > mostRoots ? [] : [[found]];
}

/** The deepest folder that all lie in; each folder by itself if that would be the root. */
function foldersOf(values: readonly string[]): readonly string[] {
  const folders = values.map((one) => dirname(one));
  const shared = commonStart(folders.map((one) => one.split("/"))).join("/");
  return shared === "" || shared === "."
    ? [...new Set(folders)].filter((one) => one !== "/" && one !== ".")
    : [shared];
}

/** For each origin, the deepest folder that all its addresses lie in. */
function addressesOf(values: readonly string[]): readonly string[] {
  const byOrigin = new Map<string, string[][]>();
  for (const value of values) {
    if (!URL.canParse(value)) return [];
    const { origin, pathname } = new URL(value);
    byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), dirname(pathname).split("/")]);
  }
  return Array.from(byOrigin, ([origin, paths]) => `${origin}${commonStart(paths).join("/")}`);
}

function commonStart(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  const end = first.findIndex((part, i) => others.some((one) => one[i] !== part));
  return end < 0 ? first : first.slice(0, end);
}

// ── attacks ──────────────────────────────────────────────────────────────────────────────────────────────

/** LIMIT: of attacks that are tried on each guarantee. */
const mostAttacks = 500;
const hostileTexts = ["/etc/passwd", "../../outside", "https://attacker.example/x", "attacker"];

/** Calls that nobody made: of tools that were not called, and of others with values that an attacker would choose. */
function attacksOn(
  calls: readonly ReadCall[],
  tools: ReadonlyMap<string, Tool>,
  used: ReadonlySet<string>,
): readonly Attack[] {
  const chosen: Attack[] = [];
  const attacks: Attack[] = [];
  const last = new Map(calls.map((call) => [call.tool, call]));
  for (const [name, tool] of tools) {
    if (!used.has(moduleOf(name))) continue;
    const call = last.get(name);
    if (call === undefined) {
      const args = defaultOf(recordOf(tool.params));
      if (isRecord(args)) attacks.push({ tool: name, args, words: `\`${name}\`, which was never called` });
      continue;
    }
    for (const { name: field, type } of tool.params) {
      const isList = type.kind === "list" && type.element.kind === "string";
      if (call.args.fields[field] === undefined || (type.kind !== "string" && !isList)) continue;
      for (const text of hostileTexts) {
        const entries = Object.entries({ ...call.args.fields, [field]: isList ? [text] : text });
        const words = `\`${name}\` with ${printFields(record([[field, text]]))}`;
        chosen.push({ tool: name, args: record(entries), words });
      }
    }
    attacks.push({ tool: name, args: call.args, words: `\`${name}\` again`, isRepeat: true });
  }
  return [...chosen, ...attacks].slice(0, mostAttacks);
}

// ── trials ───────────────────────────────────────────────────────────────────────────────────────────────

/** LIMIT: of numbers that are tried. */
const mostProbes = 24;
const mostNumber = 1_000_000;

class Trial {
  readonly #setup: Parameters<typeof openSession>[0];
  readonly #sessions: readonly (readonly ReadCall[])[];
  readonly #attacks: readonly Attack[];

  constructor(
    setup: Parameters<typeof openSession>[0],
    calls: readonly ReadCall[],
    attacks: readonly Attack[],
  ) {
    const sessions = new Map<string, ReadCall[]>();
    for (const call of calls) sessions.set(call.session, [...(sessions.get(call.session) ?? []), call]);
    this.#setup = setup;
    this.#sessions = [...sessions.values()].sort((a, b) => a.length - b.length);
    this.#attacks = attacks;
  }

  /** The guarantee, if it stands, held in the history, and refuses an attack. */
  async of({ name, doc }: Contract, args: readonly Argument[]): Promise<Suggestion | undefined> {
    const [first] = args;
    if (typeof first !== "number")
      return this.#tried(`${name}(${args.map((one) => JSON.stringify(one)).join(", ")})`, doc);
    let [low, high] = [0, mostNumber];
    if ((await this.#checked(`${name}(${high})`)) === undefined) return undefined;
    for (let probe = 0; low < high && probe < mostProbes; probe++) {
      const middle = Math.floor((low + high) / 2);
      if ((await this.#checked(`${name}(${middle})`)) === undefined) low = middle + 1;
      else high = middle;
    }
    return this.#tried(`${name}(${high})`, doc);
  }

  async #tried(stated: string, doc: string | undefined): Promise<Suggestion | undefined> {
    const checked = await this.#checked(stated);
    const [guarantee] = checked?.document.guarantees ?? [];
    if (checked === undefined || guarantee === undefined) return undefined;
    // After the longest session, as one more call of it.
    const standing = replayed(checked, this.#sessions.at(-1) ?? []);
    if (standing === undefined) return undefined;
    const refused = this.#attacks.filter((attack) => !holds(checked, standing, attack));
    const { sentence } = guaranteeText(checked, guarantee);
    if (refused.length === 0 || sentence === undefined) return undefined;
    return {
      stated,
      sentence: ownWords(doc, guarantee.args) ?? sentence,
      meaning: sentence,
      refuses: refused.length,
      examples: refused.slice(0, 3).map(({ words }) => words),
      refusesMore: refused.some(({ isRepeat }) => isRepeat === true),
    };
  }

  /** The document of the guarantee alone, if it stands and held of every session. */
  async #checked(stated: string): Promise<Checked | undefined> {
    const opened = await openSession({ ...this.#setup, guarantees: [stated] });
    if (!opened.ok) return undefined;
    const { checked, close } = opened.value;
    await close();
    return this.#sessions.every((calls) => replayed(checked, calls) !== undefined) ? checked : undefined;
  }
}

/** The first sentence of the author, and the arguments that stand for "these". */
function ownWords(doc: string | undefined, args: readonly Expr[]): string | undefined {
  const [first] = doc?.trim().split(/\.(?:\s|$)/) ?? [];
  if (first === undefined || first === "") return undefined;
  return args.length === 0 ? first : `${first}: ${args.map(printExpr).join(", ")}`;
}

/** The monitor after the calls; undefined if one of them would have been refused. */
function replayed(checked: Checked, calls: readonly ReadCall[]): Standing | undefined {
  const formulas = checked.document.guarantees.flatMap(({ formula }) => formula ?? []);
  const standing = new Standing(checked, formulas, { inputs: record([]) });
  for (const call of calls) {
    if (!holds(checked, standing, call)) return undefined;
    standing.end(standing.begin(call), { kind: "returned" });
  }
  return standing;
}

function holds({ document }: Checked, standing: Standing, call: Pick<ReadCall, "tool" | "args">): boolean {
  const looked = standing.look(call);
  return document.guarantees.every(
    ({ formula }) => formula !== undefined && looked.verdict(formula).kind === "holds",
  );
}
