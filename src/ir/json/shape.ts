/**
 * The JSON form of every node, as one table. The encoder, the decoder and the published JSON Schema all follow
 * it, so they cannot disagree; its type makes sure that no field of `document.ts` is ever omitted.
 * Part of what must be trusted: a field that is missing here would be missing from the hash.
 */
import { aggregates } from "../aggregates.ts";
import type {
  Argument,
  Carry,
  Command,
  Document,
  Expr,
  Fluent,
  Guarantee,
  LambdaParam,
  Program,
  Relation,
  Selection,
  Source,
  Tool,
  Transition,
  Update,
} from "../document.ts";
import type { Field, Type } from "../type.ts";

/** Nodes of one form. */
interface Structs {
  document: Document;
  fluent: Fluent;
  tool: Tool;
  update: Update;
  program: Program;
  guarantee: Guarantee;
  field: Field;
  argument: Argument;
  carry: Carry;
  lambdaParam: LambdaParam;
  selection: Selection;
  transition: Transition;
}

/** Nodes of several forms, told apart by `kind`. */
interface Unions {
  type: Exclude<Type, { kind: "never" }>;
  command: Command;
  expr: Expr;
  relation: Relation;
  source: Source;
}

export type Sort = keyof Structs | keyof Unions;

export type Slot = (
  | { readonly kind: "version" }
  | { readonly kind: "text" }
  | { readonly kind: "texts" }
  | { readonly kind: "boolean" }
  /** An exact number, as a string. */
  | { readonly kind: "number" }
  /** A small integer, as a JSON number. */
  | { readonly kind: "count" }
  /** `true`, or omitted. */
  | { readonly kind: "flag" }
  | { readonly kind: "word"; readonly words: readonly string[] }
  | { readonly kind: "node"; readonly sort: Sort }
  /** Omitted when empty. */
  | { readonly kind: "nodes"; readonly sort: Sort }
  /** Omitted when absent; an empty one says something else, and is written. */
  | { readonly kind: "keptTexts" }
  | { readonly kind: "keptNodes"; readonly sort: Sort }
  /** Lists of nodes, each written, the empty ones too. */
  | { readonly kind: "nodeLists"; readonly sort: Sort }
) & { readonly optional?: true };

export type Shape = Readonly<Record<string, Slot>>;

type ShapeOf<T> = { readonly [K in Exclude<keyof T, "kind">]-?: Slot };
type FormsOf<U extends { kind: string }> = {
  readonly [K in U["kind"]]: ShapeOf<Extract<U, { readonly kind: K }>>;
};

const text: Slot = { kind: "text" };
const optionalText: Slot = { kind: "text", optional: true };
const texts: Slot = { kind: "texts" };
const flag: Slot = { kind: "flag", optional: true };
const node = (sort: Sort): Slot => ({ kind: "node", sort });
const optional = (sort: Sort): Slot => ({ kind: "node", sort, optional: true });
const nodes = (sort: Sort): Slot => ({ kind: "nodes", sort });
const word = (...words: readonly string[]): Slot => ({ kind: "word", words });
const expr = node("expr");
const moment = word("initial", "now", "final");
const quantifier = word("forall", "exists");
const aggregate = word(...aggregates.keys());

export const structs: { readonly [S in keyof Structs]: ShapeOf<Structs[S]> } = {
  document: {
    effectIr: { kind: "version" },
    modules: optionalText,
    fluents: nodes("fluent"),
    tools: nodes("tool"),
    program: node("program"),
    guarantees: nodes("guarantee"),
  },
  fluent: { name: text, key: node("type"), value: node("type"), initial: optional("expr") },
  tool: {
    name: text,
    params: nodes("field"),
    result: optional("type"),
    labels: texts,
    requires: nodes("expr"),
    ensures: nodes("expr"),
    sets: nodes("update"),
    cost: optional("expr"),
    reads: flag,
    idempotent: flag,
    untrusted: flag,
    undoable: flag,
    stores: { kind: "keptTexts", optional: true },
    endorses: { kind: "keptNodes", sort: "source", optional: true },
    readers: optional("expr"),
  },
  update: { fluent: text, key: expr, value: expr, when: optional("expr") },
  program: { inputs: nodes("field"), body: nodes("command") },
  guarantee: { name: text, args: nodes("expr"), formula: optional("expr") },
  field: { name: text, type: node("type"), optional: flag },
  argument: { name: text, value: expr, optional: flag },
  carry: { name: text, type: node("type"), init: expr, next: expr },
  lambdaParam: { name: text, type: optional("type") },
  selection: { var: text, in: node("relation"), where: optional("expr") },
  transition: { from: text, over: node("selection"), to: text },
};

export const unions: { readonly [U in keyof Unions]: FormsOf<Unions[U]> } = {
  type: {
    bool: {},
    int: {},
    real: {},
    string: {},
    json: {},
    enum: { values: texts },
    list: { element: node("type") },
    map: { value: node("type") },
    option: { value: node("type") },
    record: { fields: nodes("field") },
  },
  command: {
    let: { name: text, value: expr },
    call: {
      id: text,
      tool: text,
      args: nodes("argument"),
      bind: optionalText,
      when: optional("expr"),
      catch: optionalText,
      reason: optionalText,
    },
    for: {
      var: text,
      index: optionalText,
      list: expr,
      max: { kind: "count", optional: true },
      parallel: flag,
      carry: nodes("carry"),
      body: nodes("command"),
    },
    while: {
      condition: expr,
      index: optionalText,
      max: { kind: "count", optional: true },
      carry: nodes("carry"),
      body: nodes("command"),
    },
    parallel: { branches: { kind: "nodeLists", sort: "command" } },
    require: { condition: expr, when: optional("expr"), why: text },
  },
  expr: {
    bool: { value: { kind: "boolean" } },
    number: { value: { kind: "number" } },
    string: { value: text },
    none: {},
    var: { name: text },
    op: { op: text, args: nodes("expr") },
    lambda: { params: nodes("lambdaParam"), body: expr },
    list: { items: nodes("expr") },
    record: { fields: nodes("argument") },
    field: { of: expr, name: text },
    let: { name: text, value: expr, body: expr },
    cell: { at: moment, fluent: text, key: expr },
    quantifier: { quantifier, over: node("selection"), body: expr },
    aggregate: { aggregate, over: node("selection"), value: optional("expr"), otherwise: optional("expr") },
    perKey: {
      quantifier,
      name: text,
      aggregate,
      over: node("selection"),
      key: expr,
      value: optional("expr"),
      body: expr,
    },
    distinct: { over: node("selection"), key: expr },
    always: { body: expr },
    precedes: { first: text, second: text },
    result: { call: text },
    flows: { value: expr, from: node("source") },
    influenced: { call: text, from: node("source") },
    mayRead: { value: expr, reader: expr },
    automaton: { states: texts, start: text, on: nodes("transition"), error: texts },
  },
  relation: {
    calls: { tool: text },
    label: { label: text },
    rows: { tool: text },
    cells: { at: moment, fluent: text },
  },
  source: {
    tool: { tool: text, field: optionalText },
    label: { label: text },
    input: { input: optionalText },
    untrusted: {},
  },
};

/** A shape made ready for going through: its fields in order, and by name. */
export interface Form {
  readonly fields: readonly (readonly [name: string, slot: Slot])[];
  readonly byName: ReadonlyMap<string, Slot>;
}

/** The forms of a sort by their `kind`, or its one form. */
export type Forms = { readonly kinds: ReadonlyMap<string, Form> } | { readonly form: Form };

export function formsOf(sort: Sort): Forms {
  const forms = allForms.get(sort);
  if (forms === undefined) throw new TypeError(`there is no sort \`${sort}\``);
  return forms;
}

export const sorts: readonly Sort[] = [
  ...Object.keys(structs).filter(isStruct),
  ...Object.keys(unions).filter(isUnion),
];

const allForms = new Map<Sort, Forms>();
for (const sort of sorts) {
  if (isStruct(sort)) allForms.set(sort, { form: formOf(structs[sort]) });
  else {
    const kinds = Object.entries<Shape>(unions[sort]).map(([kind, shape]) => [kind, formOf(shape)] as const);
    allForms.set(sort, { kinds: new Map(kinds) });
  }
}

function formOf(shape: Shape): Form {
  const fields = Object.entries(shape);
  return { fields, byName: new Map(fields) };
}

function isStruct(sort: string): sort is keyof Structs {
  return Object.hasOwn(structs, sort);
}

function isUnion(sort: string): sort is keyof Unions {
  return Object.hasOwn(unions, sort);
}
