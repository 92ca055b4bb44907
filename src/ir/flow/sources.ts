/**
 * Sources in a program: parts of the results of the tools that it calls, or its inputs. A part is a field of the
 * result, or of its rows, or the rest of it. Part of what must be trusted.
 */
import { append } from "../append.ts";
import type { Checked } from "../check/index.ts";
import type { Source } from "../document.ts";
import type { Type } from "../type.ts";
import type { Node } from "./graph.ts";
import { nodesOf, type Shape } from "./shape.ts";

/** Names a part in which data starts. */
export type Origin = string;

const rest = "";
const ofTool = (tool: string, field: string): Origin => `tool\n${tool}\n${field}`;
const failureText: Origin = "failure";
const ofInput = (input: string): Origin => `input\n${input}`;

/** The nodes at which the data of each origin starts. */
export class Origins {
  readonly #nodes = new Map<Origin, Node[]>();

  /** Every origin that has a start, with its starts. */
  get all(): ReadonlyMap<Origin, readonly Node[]> {
    return this.#nodes;
  }

  /** A result of the tool; `type` is the tool's result type. */
  result(tool: string, shape: Shape, type: Type): void {
    if (shape.kind === "option" && type.kind === "option") {
      this.#start(ofTool(tool, rest), [shape.present]);
      this.result(tool, shape.value, type.value);
    } else if (shape.kind === "list" && type.kind === "list") {
      this.#start(ofTool(tool, rest), [shape.structure]);
      this.result(tool, shape.element, type.element);
    } else if (shape.kind === "record")
      for (const [name, { present, value }] of shape.fields)
        this.#start(
          ofTool(tool, name),
          present === undefined ? nodesOf(value) : [present, ...nodesOf(value)],
        );
    else for (const name of [rest, ...fieldNames(type)]) this.#start(ofTool(tool, name), nodesOf(shape));
  }

  /** Records a failure as data of the tool itself, in no field of its result. */
  failure(tool: string, node: Node): void {
    this.#start(ofTool(tool, rest), [node]);
  }

  /**
   * The text of a failure is the tool's, and nobody vouches for it.
   * SOUNDNESS: it may quote anything, so it is untrusted for every tool.
   */
  reason(tool: string, node: Node): void {
    this.#start(ofTool(tool, rest), [node]);
    this.#start(failureText, [node]);
  }

  input(name: string, shape: Shape): void {
    this.#start(ofInput(name), nodesOf(shape));
  }

  nodes(origin: Origin): readonly Node[] {
    return this.#nodes.get(origin) ?? [];
  }

  #start(origin: Origin, nodes: readonly Node[]): void {
    const known = this.#nodes.get(origin);
    if (known === undefined) this.#nodes.set(origin, [...nodes]);
    else append(known, nodes);
  }
}

/** The fields of the records that the result is, or is made of. */
function fieldNames(type: Type): string[] {
  if (type.kind === "option") return fieldNames(type.value);
  if (type.kind === "list") return fieldNames(type.element);
  if (type.kind === "map") return fieldNames(type.value);
  return type.kind === "record" ? type.fields.map(({ name }) => name) : [];
}

/** Every origin that the source stands for, whether data of it comes about in the program or not. */
export function originsOf({ document, tools, labels }: Checked, source: Source): Origin[] {
  switch (source.kind) {
    case "tool":
      return source.field === undefined ? allOf(tools, source.tool) : [ofTool(source.tool, source.field)];
    case "label":
      return (labels.get(source.label) ?? []).flatMap(({ name }) => allOf(tools, name));
    case "untrusted":
      return [
        failureText,
        ...document.tools.flatMap(({ name, untrusted }) => (untrusted ? allOf(tools, name) : [])),
      ];
    case "input":
      return source.input === undefined
        ? document.program.inputs.map(({ name }) => ofInput(name))
        : [ofInput(source.input)];
  }
}

function allOf(tools: Checked["tools"], tool: string): Origin[] {
  const result = tools.get(tool)?.result;
  return [rest, ...(result === undefined ? [] : fieldNames(result))].map((field) => ofTool(tool, field));
}
