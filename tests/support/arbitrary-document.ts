/**
 * Random documents for property tests: every kind of node, names and strings that are hard to write, exact numbers.
 * Most of them make no sense to the checker; what only writes and reads documents must not care.
 */
import fc from "fast-check";
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
  Update,
} from "../../src/ir/document.ts";
import { type Num, ratio } from "../../src/ir/number.ts";
import { operators } from "../../src/ir/operators/index.ts";
import type { Field, Type } from "../../src/ir/type.ts";

export function anyDocument(): fc.Arbitrary<Document> {
  return fc.record(
    {
      effectIr: fc.constant(1 as const),
      modules: anyString(),
      fluents: fc.array(anyFluent(), { maxLength: 3 }),
      tools: fc.array(anyTool(), { maxLength: 3 }),
      program: anyProgram(),
      guarantees: fc.array(anyGuarantee(), { maxLength: 3 }),
    },
    { requiredKeys: ["effectIr", "fluents", "tools", "program", "guarantees"] },
  );
}

export function anyExpr(): fc.Arbitrary<Expr> {
  return nodes.expr;
}

export function anyType(): fc.Arbitrary<Type> {
  return nodes.type;
}

export function anyCommand(): fc.Arbitrary<Command> {
  return nodes.command;
}

/** Never empty; often a word that means something in the text form. */
export function anyName(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...plainNames) },
    { weight: 3, arbitrary: fc.constantFrom(...hardNames) },
    { weight: 2, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.string({ unit: anyUnit(), minLength: 1, maxLength: 6 }) },
  );
}

/** Any UTF-16 code units, so also halves of surrogate pairs. */
export function anyString(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      "",
      "card",
      'say "hi"',
      "back\\slash",
      "`",
      "line\nend",
      "\u2028\u2029",
      "\ud83d\ude00",
      "\udc00",
    ),
    fc.string({ unit: anyUnit(), maxLength: 12 }),
  );
}

export function anyNumber(): fc.Arbitrary<Num> {
  const integer = fc.oneof(
    fc.bigInt({ min: -20n, max: 20n }),
    fc.bigInt({ min: -(1n << 200n), max: 1n << 200n }),
  );
  const divisor = fc.oneof(
    fc.constantFrom(2n, 3n, 4n, 8n, 10n, 100n, 1n << 50n, 10n ** 30n, 10n ** 60n),
    fc.bigInt({ min: 1n, max: 1n << 100n }),
  );
  return fc.oneof(
    integer,
    fc.tuple(integer, divisor).map(([num, den]) => ratio(num, den)),
  );
}

function anyUnit(): fc.Arbitrary<string> {
  const code = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
    // What is hard to see, and the two halves of pairs.
    { weight: 1, arbitrary: fc.constantFrom(0, 9, 10, 13, 0x7f, 0x85, 0xa0, 0x200b, 0x202e, 0x2028, 0xfeff) },
    { weight: 1, arbitrary: fc.constantFrom(0xd83d, 0xde00, 0xdb40, 0xdc41) },
  );
  return code.map((unit) => String.fromCharCode(unit));
}

const plainNames = ["x", "amount", "bank.withdraw", "home.doorLocked", "to", "$a_1", "card", "u"];

const hardNames = [
  ".",
  "a.",
  ".b",
  "a..b",
  "`",
  "\\",
  '"',
  "a b",
  "1st",
  "caf\u00e9",
  "\ud800",
  "a\nb",
  "in.for",
  "rows.x",
];

/** Those of the grammar, reserved or not, and those of the operator table. */
const words = [
  ..."true false none unknown and or not implies if then else let in for forall exists call when catch carry".split(
    " ",
  ),
  ..."next require program tool fluent guarantee where by now initial final rows label modules effect ir".split(
    " ",
  ),
  ..."labels reads idempotent untrusted undoable requires ensures sets cost input max min count sum".split(
    " ",
  ),
  ..."stores endorses readers inputs influenced mayRead automaton states start on error row".split(" "),
  ..."parallel branch distinct always precedes result flows ratio bool int real string json enum list option record".split(
    " ",
  ),
  ..."__proto__ constructor toString".split(" "),
  ...operators.keys(),
];

const anyOptional = fc.constant(true as const);

// A type and not an interface: `letrec` asks for something that can be indexed.
type Nodes = {
  type: Type;
  field: Field;
  expr: Expr;
  argument: Argument;
  selection: Selection;
  command: Command;
  carry: Carry;
};

const nodes = fc.letrec<Nodes>((tie) => ({
  type: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc
      .constantFrom("bool" as const, "int" as const, "real" as const, "string" as const, "json" as const)
      .map((kind) => ({ kind })),
    fc.record({ kind: fc.constant("enum" as const), values: fc.array(anyString(), { maxLength: 3 }) }),
    fc.record({ kind: fc.constant("list" as const), element: tie("type") }),
    fc.record({ kind: fc.constant("option" as const), value: tie("type") }),
    fc.record({ kind: fc.constant("record" as const), fields: fc.array(tie("field"), { maxLength: 3 }) }),
  ),
  field: fc.record(
    { name: anyName(), type: tie("type"), optional: anyOptional },
    { requiredKeys: ["name", "type"] },
  ),
  expr: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 4, arbitrary: anyLeaf() },
    { weight: 4, arbitrary: anyOperation(tie("expr")) },
    { weight: 4, arbitrary: anyStructure(tie("expr"), tie("argument"), tie("type")) },
    { weight: 4, arbitrary: anyTraceExpr(tie("expr"), tie("selection")) },
  ),
  argument: fc.record(
    { name: anyName(), value: tie("expr"), optional: anyOptional },
    { requiredKeys: ["name", "value"] },
  ),
  selection: fc.record(
    { var: anyName(), in: anyRelation(), where: tie("expr") },
    { requiredKeys: ["var", "in"] },
  ),
  command: anyCommandOf(tie("expr"), tie("argument"), tie("carry"), tie("command")),
  carry: fc.record({ name: anyName(), type: tie("type"), init: tie("expr"), next: tie("expr") }),
}));

function anyLeaf(): fc.Arbitrary<Expr> {
  return fc.oneof(
    fc.record({ kind: fc.constant("bool" as const), value: fc.boolean() }),
    fc.record({ kind: fc.constant("number" as const), value: anyNumber() }),
    fc.record({ kind: fc.constant("string" as const), value: anyString() }),
    fc.constant({ kind: "none" as const }),
    fc.record({ kind: fc.constant("var" as const), name: anyName() }),
    fc.record({ kind: fc.constant("precedes" as const), first: anyName(), second: anyName() }),
    fc.record({ kind: fc.constant("result" as const), call: anyName() }),
  );
}

function anyOperation(expr: fc.Arbitrary<Expr>): fc.Arbitrary<Expr> {
  const written = [...operators.values()]
    .filter(({ syntax }) => syntax.kind !== "call")
    .map(({ name }) => name);
  const op = fc.oneof(
    // Those that are not written as calls are the harder ones.
    { weight: 6, arbitrary: fc.constantFrom(...written) },
    { weight: 3, arbitrary: fc.constantFrom(...operators.keys()) },
    { weight: 1, arbitrary: anyName() },
  );
  // Two operands are what most of them take; any other number must do as well.
  const args = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(expr, expr) },
    { weight: 2, arbitrary: fc.tuple(expr) },
    { weight: 2, arbitrary: fc.tuple(expr, expr, expr) },
    { weight: 1, arbitrary: fc.array(expr, { maxLength: 4 }) },
  );
  return fc.record({ kind: fc.constant("op" as const), op, args });
}

function anyStructure(
  expr: fc.Arbitrary<Expr>,
  argument: fc.Arbitrary<Argument>,
  type: fc.Arbitrary<Type>,
): fc.Arbitrary<Expr> {
  const param: fc.Arbitrary<LambdaParam> = fc.record({ name: anyName(), type }, { requiredKeys: ["name"] });
  return fc.oneof(
    fc.record({
      kind: fc.constant("lambda" as const),
      params: fc.array(param, { maxLength: 3 }),
      body: expr,
    }),
    fc.record({ kind: fc.constant("list" as const), items: fc.array(expr, { maxLength: 3 }) }),
    fc.record({ kind: fc.constant("record" as const), fields: fc.array(argument, { maxLength: 3 }) }),
    fc.record({ kind: fc.constant("field" as const), of: expr, name: anyName() }),
    fc.record({ kind: fc.constant("let" as const), name: anyName(), value: expr, body: expr }),
    fc.record({ kind: fc.constant("cell" as const), at: anyMoment(), fluent: anyName(), key: expr }),
  );
}

function anyTraceExpr(expr: fc.Arbitrary<Expr>, over: fc.Arbitrary<Selection>): fc.Arbitrary<Expr> {
  const quantifier = fc.constantFrom("forall" as const, "exists" as const);
  const aggregate = fc.constantFrom("count" as const, "sum" as const, "min" as const, "max" as const);
  return fc.oneof(
    fc.record({ kind: fc.constant("quantifier" as const), quantifier, over, body: expr }),
    fc.record(
      { kind: fc.constant("aggregate" as const), aggregate, over, value: expr, otherwise: expr },
      { requiredKeys: ["kind", "aggregate", "over"] },
    ),
    fc.record(
      {
        kind: fc.constant("perKey" as const),
        quantifier,
        name: anyName(),
        aggregate,
        over,
        key: expr,
        value: expr,
        body: expr,
      },
      { requiredKeys: ["kind", "quantifier", "name", "aggregate", "over", "key", "body"] },
    ),
    fc.record({ kind: fc.constant("distinct" as const), over, key: expr }),
    fc.record({ kind: fc.constant("always" as const), body: expr }),
    fc.record({ kind: fc.constant("flows" as const), value: expr, from: anySource() }),
    fc.record({ kind: fc.constant("influenced" as const), call: anyName(), from: anySource() }),
    fc.record({ kind: fc.constant("mayRead" as const), value: expr, reader: expr }),
    fc.record({
      kind: fc.constant("automaton" as const),
      states: fc.array(anyString(), { maxLength: 3 }),
      start: anyString(),
      on: fc.array(fc.record({ from: anyString(), over, to: anyString() }), { maxLength: 2 }),
      error: fc.array(anyString(), { maxLength: 2 }),
    }),
  );
}

function anyMoment(): fc.Arbitrary<"initial" | "now" | "final"> {
  return fc.constantFrom("initial" as const, "now" as const, "final" as const);
}

function anyRelation(): fc.Arbitrary<Relation> {
  return fc.oneof(
    fc.record({ kind: fc.constant("calls" as const), tool: anyName() }),
    fc.record({ kind: fc.constant("label" as const), label: anyString() }),
    fc.record({ kind: fc.constant("rows" as const), tool: anyName() }),
    fc.record({ kind: fc.constant("cells" as const), at: anyMoment(), fluent: anyName() }),
  );
}

function anySource(): fc.Arbitrary<Source> {
  return fc.oneof(
    fc.record(
      { kind: fc.constant("tool" as const), tool: anyName(), field: anyName() },
      { requiredKeys: ["kind", "tool"] },
    ),
    fc.record({ kind: fc.constant("label" as const), label: anyString() }),
    fc.record({ kind: fc.constant("input" as const), input: anyName() }, { requiredKeys: ["kind"] }),
    fc.record({ kind: fc.constant("untrusted" as const) }),
  );
}

function anyCommandOf(
  expr: fc.Arbitrary<Expr>,
  argument: fc.Arbitrary<Argument>,
  carry: fc.Arbitrary<Carry>,
  command: fc.Arbitrary<Command>,
): fc.Arbitrary<Command> {
  const id = fc.oneof(fc.constantFrom("c1", "c2", "c3", "c4", "c01"), anyName());
  return fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ kind: fc.constant("let" as const), name: anyName(), value: expr }),
    fc.record(
      {
        kind: fc.constant("call" as const),
        id,
        tool: anyName(),
        args: fc.array(argument, { maxLength: 3 }),
        bind: anyName(),
        when: expr,
        catch: anyName(),
      },
      { requiredKeys: ["kind", "id", "tool", "args"] },
    ),
    fc.record(
      {
        kind: fc.constant("call" as const),
        id,
        tool: anyName(),
        args: fc.array(argument, { maxLength: 3 }),
        bind: anyName(),
        when: expr,
        catch: anyName(),
        reason: anyName(),
      },
      { requiredKeys: ["kind", "id", "tool", "args", "catch"] },
    ),
    fc.record(
      { kind: fc.constant("require" as const), condition: expr, when: expr, why: anyString() },
      { requiredKeys: ["kind", "condition", "why"] },
    ),
    fc.record(
      {
        kind: fc.constant("for" as const),
        var: anyName(),
        index: anyName(),
        list: expr,
        max: fc.oneof(fc.nat(100), fc.maxSafeNat()),
        parallel: anyOptional,
        carry: fc.array(carry, { maxLength: 2 }),
        body: fc.array(command, { maxLength: 3 }),
      },
      { requiredKeys: ["kind", "var", "list", "carry", "body"] },
    ),
    fc.record(
      {
        kind: fc.constant("while" as const),
        condition: expr,
        index: anyName(),
        max: fc.oneof(fc.nat(100), fc.maxSafeNat()),
        carry: fc.array(carry, { maxLength: 2 }),
        body: fc.array(command, { maxLength: 3 }),
      },
      { requiredKeys: ["kind", "condition", "carry", "body"] },
    ),
    fc.record({
      kind: fc.constant("parallel" as const),
      branches: fc.array(fc.array(command, { maxLength: 2 }), { maxLength: 3 }),
    }),
  );
}

function anyFluent(): fc.Arbitrary<Fluent> {
  return fc.record(
    { name: anyName(), key: anyType(), value: anyType(), initial: anyExpr() },
    { requiredKeys: ["name", "key", "value"] },
  );
}

function anyTool(): fc.Arbitrary<Tool> {
  const update: fc.Arbitrary<Update> = fc.record(
    { fluent: anyName(), key: anyExpr(), value: anyExpr(), when: anyExpr() },
    { requiredKeys: ["fluent", "key", "value"] },
  );
  return fc.record(
    {
      name: anyName(),
      params: fc.array(nodes.field, { maxLength: 3 }),
      result: anyType(),
      labels: fc.array(anyString(), { maxLength: 2 }),
      requires: fc.array(anyExpr(), { maxLength: 2 }),
      ensures: fc.array(anyExpr(), { maxLength: 2 }),
      sets: fc.array(update, { maxLength: 2 }),
      cost: anyExpr(),
      reads: anyOptional,
      idempotent: anyOptional,
      untrusted: anyOptional,
      undoable: anyOptional,
      stores: fc.array(anyString(), { maxLength: 2 }),
      endorses: fc.array(anySource(), { maxLength: 2 }),
      readers: anyExpr(),
    },
    { requiredKeys: ["name", "params", "labels", "requires", "ensures", "sets"] },
  );
}

function anyProgram(): fc.Arbitrary<Program> {
  return fc.record({
    inputs: fc.array(nodes.field, { maxLength: 3 }),
    body: fc.array(nodes.command, { maxLength: 5 }),
  });
}

function anyGuarantee(): fc.Arbitrary<Guarantee> {
  return fc.record(
    { name: anyName(), args: fc.array(anyExpr(), { maxLength: 3 }), formula: anyExpr() },
    { requiredKeys: ["name", "args"] },
  );
}
