/**
 * Declarations of trusted tool modules for the tools of a plan: parameters, requirements on the state, and updates. A
 * fluent's cell is the key `fluent[key]` of the plan's state; where that key is absent, the cell holds the fluent's
 * initial value.
 */
import {
  type CellExpr,
  type Checked,
  check,
  closest,
  defaultLimits,
  type Environment,
  type Expr,
  evaluate,
  evaluateExactly,
  exprsIn,
  type Fluent,
  fromJs,
  isPartly,
  type Json,
  type JsonObject,
  type Known,
  LimitReached,
  Meter,
  ok,
  printExpr,
  type Result,
  readField,
  recordOf,
  type Tool,
  toJs,
  Unknown,
  type Value,
  valuesOnly,
  variablesOf,
} from "../../ir/index.ts";
import { cellKey, toJson } from "../../run/index.ts";
import type { Action } from "../plan.ts";
import { hasReference } from "../references.ts";

export interface ToolDeclarations {
  readonly tools: readonly Tool[];
  readonly fluents: readonly Fluent[];
}

/** A call of a tool that is declared, with arguments that fit it. */
export interface CallModel {
  readonly tool: Tool;
  readonly arguments: ReadonlyMap<string, Known>;
  /** Keys of the state: those that its clauses read, and for each of its updates the one that it writes. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export type ReadCall =
  | { readonly kind: "modelled"; readonly call: CallModel }
  | { readonly kind: "unknown tool"; readonly near: string | undefined }
  | { readonly kind: "misfit"; readonly parameter: string | undefined; readonly message: string }
  /** The key of the state is known only in the run. */
  | { readonly kind: "unclear"; readonly cell: string };

/** Reads a key of the state: a value or nothing, if known. */
export type ReadKey = (key: string) => { readonly cell: Json | undefined } | "unknown";

export interface Requirement {
  readonly kind: "fails" | "open";
  readonly text: string;
  /** True if the requirement holds at first, but not on a retry. */
  readonly again?: true;
}

/** Result of an update: empty if it does not happen. */
export interface Update {
  readonly happens: "always" | "maybe" | "never";
  /** Undefined if it is not known. */
  readonly value: Json | undefined;
}

/** LIMIT: units of work for the clauses of one call. */
const steps = 100_000;

export class ToolBook {
  readonly #checked: Checked;
  readonly #initial = new Map<string, Value>();

  /** Problems if two tools or fluents have one name. */
  static from({ tools, fluents }: ToolDeclarations): Result<ToolBook> {
    const document = {
      effectIr: 1,
      fluents,
      tools,
      program: { inputs: [], body: [] },
      guarantees: [],
    } as const;
    const checked = check(document);
    return checked.ok ? ok(new ToolBook(checked.value)) : checked;
  }

  private constructor(checked: Checked) {
    this.#checked = checked;
    for (const { name, initial } of checked.fluents.values()) {
      if (initial === undefined) continue;
      this.#initial.set(name, evaluateExactly(initial, valuesOnly(this.#checked.types, new Meter())));
    }
  }

  /** A declared tool. */
  tool(name: string): Tool | undefined {
    return this.#checked.tools.get(name);
  }

  /** `bank.balance[bob]`, where `bank.balance` is a fluent. */
  isCell(key: string): boolean {
    const bracket = key.indexOf("[");
    return bracket > 0 && this.#checked.fluents.has(key.slice(0, bracket));
  }

  /** In a run nothing is open any more, whatever it looks like. */
  read(
    { tool: name = "", parameters }: Pick<Action, "tool" | "parameters">,
    isReference: (parameter: Json) => boolean = hasReference,
  ): ReadCall {
    const tool = this.#checked.tools.get(name);
    if (tool === undefined) return { kind: "unknown tool", near: closest(name, this.#checked.tools.keys()) };
    const open = tool.params.filter(({ name: one }) => isReference(parameters[one] ?? null));
    const isOpen = new Set(open.map(({ name: one }) => one));
    const known = recordOf(tool.params.filter(({ name: one }) => !isOpen.has(one)));
    const given: Record<string, Json> = Object.create(null);
    for (const one of Object.keys(parameters)) if (!isOpen.has(one)) given[one] = parameters[one] ?? null;
    const read = fromJs(given satisfies JsonObject, known);
    if (!read.ok) {
      const [problem] = read.problems;
      const [parameter] = problem?.path ?? [];
      return {
        kind: "misfit",
        parameter: typeof parameter === "string" ? parameter : undefined,
        message: problem?.message ?? "",
      };
    }
    const names = new Map<string, Known>();
    for (const { name: one } of known.fields) names.set(one, readField(read.value, one, known));
    for (const one of isOpen) names.set(one, new Unknown("it is an output"));
    return this.#modelled(tool, names);
  }

  #modelled(tool: Tool, names: ReadonlyMap<string, Known>): ReadCall {
    const [reads, writes]: [string[], string[]] = [[], []];
    const clauses = [
      ...tool.requires,
      ...tool.sets.flatMap(({ key, value, when }) => [key, value, ...(when ? [when] : [])]),
    ];
    for (const cell of clauses.flatMap(cellsIn)) {
      const key = this.#keyOf(cell.fluent, cell.key, names);
      if (key === undefined) return { kind: "unclear", cell: `${cell.fluent}[${printExpr(cell.key)}]` };
      reads.push(key);
    }
    for (const { fluent, key } of tool.sets) {
      const written = this.#keyOf(fluent, key, names);
      if (written === undefined) return { kind: "unclear", cell: `${fluent}[${printExpr(key)}]` };
      writes.push(written);
    }
    return { kind: "modelled", call: { tool, arguments: names, reads, writes } };
  }

  /** Undefined if it is not known before the run which one it is. */
  #keyOf(fluent: string, key: Expr, names: ReadonlyMap<string, Known>): string | undefined {
    // A name that is no parameter is bound inside the clause, and a cell inside a key depends on the state.
    if ([...variablesOf(key)].some((name) => !names.has(name)) || cellsIn(key).length > 0) return undefined;
    const found = guarded(() =>
      evaluate(
        key,
        this.environment(names, () => "unknown"),
      ),
    );
    if (isPartly(found)) return undefined;
    return cellKey(fluent, found);
  }

  /** The keys of the cells that a clause reads; undefined for one that only a run tells. */
  keysIn(clause: Expr, names: ReadonlyMap<string, Known>): readonly (string | undefined)[] {
    return cellsIn(clause).map(({ fluent, key }) => this.#keyOf(fluent, key, names));
  }

  /** Returns true if a cell with this content has a value of its fluent's type. */
  isClear(key: string, cell: Json | undefined): boolean {
    return !isPartly(this.#cell(key.slice(0, key.indexOf("[")), { cell }));
  }

  /** Why a tool cannot receive these parameters exactly; undefined if it can. */
  unreceivable(tool: Tool, parameters: JsonObject): string | undefined {
    const received = receivedBy(tool, parameters);
    return received.ok ? undefined : (received.problems[0]?.message ?? "");
  }

  /** Returns the requirements that fail, or may fail. */
  unmet({ tool, arguments: names }: CallModel, read: ReadKey): Requirement[] {
    const found: Requirement[] = [];
    for (const condition of tool.requires) {
      const value = guarded(() => evaluate(condition, this.environment(names, read)));
      if (value === true) continue;
      found.push({ kind: isPartly(value) ? "open" : "fails", text: printExpr(condition) });
    }
    return found;
  }

  /** In the order of the tool's `sets`, each worked out in the state before the call. */
  updates({ tool, arguments: names }: CallModel, read: ReadKey): Update[] {
    return tool.sets.map(({ value, when }) => {
      const happens =
        when === undefined ? true : guarded(() => evaluate(when, this.environment(names, read)));
      if (happens === false) return { happens: "never", value: undefined };
      const to = guarded(() => evaluate(value, this.environment(names, read)));
      return {
        happens: isPartly(happens) ? "maybe" : "always",
        value: isPartly(to) ? undefined : toJson(to),
      };
    });
  }

  /** For clauses of tools. */
  environment(names: ReadonlyMap<string, Known>, read: ReadKey): Environment {
    return {
      names: new Map(names),
      types: this.#checked.types,
      meter: new Meter({ ...defaultLimits, steps }),
      look: (expr, environment) => {
        if (expr.kind !== "cell") throw new TypeError(`\`${expr.kind}\` cannot stand in a tool`);
        const key = this.#keyOf(expr.fluent, expr.key, environment.names);
        return key === undefined ? new Unknown("the key is not known") : this.#cell(expr.fluent, read(key));
      },
    };
  }

  #cell(fluent: string, held: ReturnType<ReadKey>): Known {
    if (held === "unknown") return new Unknown("the state is not known");
    const { cell } = held;
    if (cell === undefined)
      return this.#initial.get(fluent) ?? new Unknown("nothing is known of it before the run");
    const type = this.#checked.fluents.get(fluent)?.value;
    const value = type && fromJs(cell, type);
    return value?.ok ? value.value : new Unknown("the state holds something of another type");
  }
}

/** Converts parameters to JavaScript values, exactly. */
export function receivedBy({ params }: Tool, parameters: JsonObject): Result<unknown> {
  const type = recordOf(params);
  const args = fromJs(parameters, type);
  return args.ok ? toJs(args.value, type) : args;
}

/** Evaluates within the step limit; beyond it, the result is unknown. */
export function guarded(work: () => Known): Known {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof LimitReached) return new Unknown(thrown.message);
    throw thrown;
  }
}

function cellsIn(expr: Expr): CellExpr[] {
  return [...exprsIn(expr)].filter((one) => one.kind === "cell");
}
