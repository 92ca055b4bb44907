/**
 * Axioms that hold in every run of a document: its tools, and for each call command the class of its calls. They hold
 * for every completed run; a failed call is an operation if it had its effect. SOUNDNESS: an axiom states a value
 * only if it is a constant, and a number of calls only if no run makes more.
 */
import {
  type Argument,
  type CallCommand,
  type Checked,
  type Command,
  isList,
  isOption,
  type LoopCommand,
  printExpr,
  type Tool,
  type Type,
  type Value,
} from "../ir/index.ts";
import type { ClosureName } from "./closure.ts";
import { constantOf } from "./constant.ts";
import { literalOf } from "./literal.ts";
import { hasEffect, hasRow, type Name, named, operation, row, run, theRun } from "./names.ts";
import {
  type Axiom,
  and,
  anyLiteral,
  anyOf,
  atMost,
  type ClassExpr,
  classOf,
  type DataRange,
  exactly,
  inverse,
  not,
  nothing,
  role,
  some,
  thing,
} from "./owl.ts";
import { elementsOf, isScalar, type Leaf, leavesOf, leavesOfFields, propertyOf } from "./values.ts";

/** A heading with the axioms below it. */
export interface Section {
  readonly title: string;
  /** The closure that these axioms are. */
  readonly closes?: ClosureName;
  readonly axioms: readonly Axiom[];
}

/** A call that stands in the program. */
export interface CallFact {
  readonly name: Name;
  readonly tool: string;
  /** Condition of the call, in text form; absent if unconditional. */
  readonly when?: string;
}

export function toolSections({ document, labels }: Checked): Section[] {
  const { tools } = document;
  const returning = tools.flatMap((tool) =>
    tool.result?.kind === "list" ? [{ tool, of: tool.result.element }] : [],
  );
  const all = tools.map(({ name }) => toolClass(name));
  const rows = returning.map(({ tool }) => classOf(named("rows", tool.name)));
  return [
    {
      title: "the run",
      axioms: [
        { kind: "same", a: classOf(run), b: { kind: "one", individual: theRun } },
        { kind: "disjoint", classes: [classOf(run), classOf(operation), classOf(row)] },
      ],
    },
    { title: "effects", closes: "effects", axioms: closedRole(hasEffect, operation) },
    { title: "rows that tools returned", closes: "rows", axioms: closedRole(hasRow, row) },
    {
      title: "tools and labels",
      closes: "tools",
      axioms: [
        ...covered(classOf(operation), all),
        ...covered(classOf(row), rows),
        ...Array.from(labels, ([label, on]): Axiom => {
          const carriers = on.map(({ name }) => toolClass(name));
          return { kind: "same", a: classOf(named("label", label)), b: anyOf(carriers) };
        }),
      ],
    },
    {
      title: "values",
      closes: "values",
      axioms: [
        ...tools.flatMap(toolValues),
        ...returning.flatMap(({ tool, of }) =>
          leavesOf("row", of, [], false).flatMap((leaf) => valued(classOf(named("rows", tool.name)), leaf)),
        ),
        ...leavesOfFields("input", document.program.inputs).flatMap((leaf) => valued(classOf(run), leaf)),
      ],
    },
  ];
}

export const toolClass = (name: string): ClassExpr => classOf(named("tool", name));

function closedRole(name: Name, of: Name): Axiom[] {
  return [
    { kind: "domain", role: name, of: classOf(run) },
    { kind: "range", role: name, of: classOf(of) },
    { kind: "same", a: classOf(of), b: some(inverse(name), classOf(run)) },
  ];
}

/** One of the parts, and of one only. */
function covered(whole: ClassExpr, parts: readonly ClassExpr[]): Axiom[] {
  if (parts.length === 0) return [{ kind: "subclass", sub: whole, of: nothing }];
  const same: Axiom = { kind: "same", a: whole, b: anyOf(parts) };
  return parts.length === 1 ? [same] : [same, { kind: "disjoint", classes: parts }];
}

function toolValues({ name, params, result }: Tool): Axiom[] {
  const leaves = leavesOfFields("arg", params);
  // A failed call has no result.
  const results = result === undefined ? [] : leavesOf("result", result, [], true);
  return [...leaves, ...results].flatMap((leaf) => valued(toolClass(name), leaf));
}

function valued(sub: ClassExpr, { property, type, optional, many }: Leaf): Axiom[] {
  const only: ClassExpr = { kind: "dataOnly", property, range: rangeOf(type) };
  const number: ClassExpr = { kind: optional ? "dataAtMost" : "dataExactly", number: 1n, property };
  return [{ kind: "subclass", sub, of: many ? only : and(number, only) }];
}

function rangeOf(type: Type): DataRange {
  switch (type.kind) {
    case "bool":
      return { kind: "datatype", datatype: "xsd:boolean" };
    case "int":
      return { kind: "datatype", datatype: "xsd:integer" };
    case "real":
      return { kind: "datatype", datatype: "owl:rational" };
    case "enum": {
      const values = type.values.flatMap((value) => literalOf(value) ?? []);
      return values.length === 0 ? { kind: "other", than: anyLiteral } : { kind: "values", values };
    }
    case "string":
      return { kind: "datatype", datatype: "xsd:string" };
    default:
      return anyLiteral;
  }
}

// ── the program ──────────────────────────────────────────────────────────────────────────────────────────

export function programSections(checked: Checked): {
  readonly sections: Section[];
  readonly calls: readonly CallFact[];
} {
  const finder = new Finder(checked);
  finder.body(checked.document.program.body, 1n, false);
  const { calls, axioms } = finder;
  const closing = checked.document.tools.flatMap(({ name }) => {
    const own = calls.filter(({ tool }) => tool === name).map((call) => classOf(call.name));
    return covered(toolClass(name), own);
  });
  const sections: Section[] = [
    { title: "the calls of the program", axioms },
    { title: "no other calls", closes: "calls", axioms: closing },
  ];
  return { sections, calls };
}

class Finder {
  readonly calls: CallFact[] = [];
  readonly axioms: Axiom[] = [];
  readonly #checked: Checked;
  /** Names that stand for a constant. */
  readonly #constants = new Map<string, Value>();

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  /** @param most how often a run gets here, undefined for any number of times */
  body(commands: readonly Command[], most: bigint | undefined, looped: boolean): void {
    for (const command of commands) {
      if (command.kind === "let") {
        const value = this.#constant(command.value);
        if (value !== undefined) this.#constants.set(command.name, value);
      } else if (command.kind === "call") this.#call(command, most, looped);
      else if (command.kind === "for" || command.kind === "while") {
        const turns = this.#turns(command);
        const outside = new Set(this.#constants.keys());
        this.body(command.body, most === undefined || turns === undefined ? undefined : most * turns, true);
        // SOUNDNESS: what was named in the loop may be the name of something else after it.
        for (const name of this.#constants.keys()) if (!outside.has(name)) this.#constants.delete(name);
      } else if (command.kind === "parallel")
        for (const branch of command.branches) this.body(branch, most, looped);
    }
  }

  #turns(command: LoopCommand): bigint | undefined {
    const { max } = command;
    const items = command.kind === "for" ? this.#constant(command.list) : undefined;
    if (items !== undefined && isList(items)) return BigInt(items.length);
    return max === undefined ? undefined : BigInt(max);
  }

  #constant(expr: Argument["value"]): Value | undefined {
    return constantOf(this.#checked.types, expr, this.#constants);
  }

  #call(
    { id, tool: name, args, when, catch: caught }: CallCommand,
    most: bigint | undefined,
    looped: boolean,
  ) {
    const call = named("call", id);
    this.calls.push({ name: call, tool: name, ...(when && { when: printExpr(when) }) });
    const of = classOf(call);
    this.axioms.push({ kind: "subclass", sub: of, of: toolClass(name) });
    const always = !looped && when === undefined && caught === undefined;
    const effects = role(hasEffect);
    if (always) this.axioms.push({ kind: "subclass", sub: classOf(run), of: exactly(1n, effects, of) });
    else if (most !== undefined)
      this.axioms.push({ kind: "subclass", sub: classOf(run), of: atMost(most, effects, of) });
    for (const arg of args) {
      const said = this.#argument(arg, name);
      if (said.kind !== "thing") this.axioms.push({ kind: "subclass", sub: of, of: said });
    }
  }

  /** Returns the class of an argument with a constant value. */
  #argument({ name, value, optional }: Argument, tool: string): ClassExpr {
    const found = this.#constant(value);
    const type = this.#checked.tools.get(tool)?.params.find((one) => one.name === name)?.type;
    if (found === undefined || type === undefined) return thing;
    if (!optional) return constantSaid(found, type, [name]);
    if (!isOption(found)) return thing;
    return found.kind === "some" ? constantSaid(found.value, type, [name]) : absentSaid(type, [name]);
  }
}

function constantSaid(value: Value, type: Type, steps: readonly string[]): ClassExpr {
  const literal = literalOf(value);
  if (literal !== undefined && isScalar(type)) {
    const range: DataRange = { kind: "values", values: [literal] };
    return { kind: "dataSome", property: propertyOf("arg", steps), range };
  }
  if (type.kind === "option" && isOption(value))
    return value.kind === "some"
      ? constantSaid(value.value, type.value, steps)
      : absentSaid(type.value, steps);
  if (type.kind === "list" && isList(value) && isScalar(type.element)) {
    const property = elementsOf("arg", steps);
    const literals = value.flatMap((item) => literalOf(item) ?? []);
    return and(
      ...literals.map(
        (one): ClassExpr => ({ kind: "dataSome", property, range: { kind: "values", values: [one] } }),
      ),
    );
  }
  return thing;
}

function absentSaid(type: Type, steps: readonly string[]): ClassExpr {
  if (!isScalar(type)) return thing;
  return not({ kind: "dataSome", property: propertyOf("arg", steps), range: anyLiteral });
}
