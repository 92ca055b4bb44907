/** Smaller programs out of one that fails: parts omitted, expressions replaced by their parts or by constants. */
import { check } from "../../../src/ir/check/index.ts";
import { conforms } from "../../../src/ir/convert/conforms.ts";
import type { Command, Document, Tool } from "../../../src/ir/document.ts";
import type { Sort } from "../../../src/ir/json/shape.ts";
import { recordOf } from "../../../src/ir/type.ts";
import { record } from "../../../src/ir/value.ts";
import { bodiesOf, isLoop } from "../../../src/ir/visit.ts";
import type { ProgramCase } from "../arbitrary-program.ts";
import { type Place, partAt, partsOf, placesIn, replaced } from "../walk.ts";

/** Fields that a node may lack, if the checker agrees. */
const optionalFields: Partial<Record<Sort, readonly string[]>> = {
  document: ["modules"],
  fluent: ["initial"],
  tool: ["result", "cost", "reads", "idempotent", "untrusted", "undoable", "stores", "endorses", "readers"],
  update: ["when"],
  guarantee: ["formula"],
  field: ["optional"],
  argument: ["optional"],
  lambdaParam: ["type"],
  selection: ["where"],
  command: ["when", "bind", "reason", "catch", "index", "max", "parallel"],
};

const constants = [
  { kind: "bool", value: true },
  { kind: "bool", value: false },
  { kind: "number", value: 0n },
  { kind: "string", value: "" },
  { kind: "list", items: [] },
  { kind: "none" },
];

/** Biggest steps first; every one of them is well-typed again. */
export function* smaller(big: ProgramCase): Generator<ProgramCase> {
  if (big.behaviour.failing > 0) yield { ...big, behaviour: { ...big.behaviour, failing: 0 } };
  if (big.initial.length > 0) yield { ...big, initial: [] };
  for (const document of smallerDocuments(big.document)) {
    const fitting = refit(big, document);
    if (fitting !== undefined) yield fitting;
  }
}

/** The case with another document, if that makes sense. */
export function refit(given: ProgramCase, document: Document): ProgramCase | undefined {
  const checked = check(document);
  if (!checked.ok) return undefined;
  const { inputs } = document.program;
  const kept = record(
    Object.entries(given.inputs.fields).filter(([name]) => inputs.some((one) => one.name === name)),
  );
  if (!conforms(kept, recordOf(inputs))) return undefined;
  const initial = given.initial.filter(({ fluent, key, value }) => {
    const declared = checked.value.fluents.get(fluent);
    return declared !== undefined && conforms(key, declared.key) && conforms(value, declared.value);
  });
  return { ...given, document, checked: checked.value, inputs: kept, initial };
}

function* smallerDocuments(document: Document): Generator<Document> {
  const places = placesIn(document);
  // Elements of lists: whole declarations, commands and operands.
  for (const { path } of places) {
    const [last, parent] = [path.at(-1), path.slice(0, -1)];
    if (typeof last !== "number") continue;
    const siblings = partAt(document, parent) as readonly unknown[];
    yield replaced(
      document,
      parent,
      siblings.filter((_, i) => i !== last),
    );
  }
  for (const place of places) yield* smallerNodes(document, place);
  yield* fewerParameters(document);
  for (const { node, path, sort } of places) {
    if (sort !== "expr") continue;
    const parts = partsOf(node);
    const isLeaf = parts.length === 0 && Reflect.get(node, "kind") !== "var";
    for (const constant of isLeaf ? [] : constants) yield replaced(document, path, constant);
    for (const part of parts) yield replaced(document, path, structuredClone(part.node));
  }
}

/** Without what it need not have; a loop by its body, or by the first values of what it hands on. */
function* smallerNodes(document: Document, { node, path, sort }: Place): Generator<Document> {
  for (const name of optionalFields[sort] ?? []) {
    if (!Object.hasOwn(node, name)) continue;
    // Without it a loop might go on for very long.
    if (name === "max" && Reflect.get(node, "kind") === "while") continue;
    const { [name]: _, ...rest } = node as Record<string, unknown>;
    yield replaced(document, path, rest);
  }
  if (sort === "tool" && (node as Tool).labels.length > 0)
    yield replaced(document, path, { ...node, labels: [] });
  const [last, parent] = [path.at(-1), path.slice(0, -1)];
  if (sort !== "command" || typeof last !== "number") return;
  const siblings = partAt(document, parent) as readonly Command[];
  const bodies = bodiesOf(node as Command);
  if (bodies.length > 0) yield replaced(document, parent, siblings.toSpliced(last, 1, ...bodies.flat()));
  const command = node as Command;
  if (isLoop(command)) {
    const firsts = command.carry.map(({ name, init }): Command => ({ kind: "let", name, value: init }));
    yield replaced(document, parent, siblings.toSpliced(last, 1, ...firsts));
  }
  if (command.kind !== "parallel") return;
  for (const [i] of bodies.entries())
    yield replaced(document, path, { ...node, branches: bodies.toSpliced(i, 1) });
}

/** A parameter can only go together with its arguments. */
function* fewerParameters(document: Document): Generator<Document> {
  for (const [i, tool] of document.tools.entries()) {
    for (const { name } of tool.params) {
      const params = tool.params.filter((param) => param.name !== name);
      let smaller = replaced(document, ["tools", i, "params"], params);
      for (const { node, path, sort } of placesIn(document)) {
        const command = node as Command;
        if (sort !== "command" || command.kind !== "call" || command.tool !== tool.name) continue;
        const args = command.args.filter((arg) => arg.name !== name);
        smaller = replaced(smaller, [...path, "args"], args);
      }
      yield smaller;
    }
  }
}
