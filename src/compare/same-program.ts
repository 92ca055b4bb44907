/** Whether two programs are one and the same, up to what they call their own variables. */
import { isDeepStrictEqual } from "node:util";
import type { Program } from "../ir/index.ts";

export function isSameProgram(first: Program, second: Program): boolean {
  return isDeepStrictEqual(new Numbering(first).program(), new Numbering(second).program());
}

type Node = Readonly<Record<string, unknown>>;

/**
 * Numbers in the places of the names that a program binds, in the order in which they stand in it.
 * SOUNDNESS: in a checked document no name hides another, so a name stands for one thing; names of inputs stay.
 */
class Numbering {
  readonly #program: Program;
  readonly #names: ReadonlyMap<string, number>;

  constructor(program: Program) {
    this.#program = program;
    const names = new Map<string, number>();
    const inputs = new Set(program.inputs.map(({ name }) => name));
    visit(program.body, (node) => {
      for (const slot of boundIn(node)) {
        const name = node[slot];
        if (typeof name === "string" && !names.has(name) && !inputs.has(name)) names.set(name, names.size);
      }
    });
    this.#names = names;
  }

  program(): unknown {
    return { inputs: this.#program.inputs, body: this.#copy(this.#program.body) };
  }

  #copy(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((part) => this.#copy(part));
    if (!isNode(node)) return node;
    const slots = new Set([...boundIn(node), ...(node.kind === "var" ? ["name"] : [])]);
    const inPlace = (slot: string, part: unknown): unknown => {
      // The fields of a type are no variables.
      if (slot === "type") return part;
      if (!slots.has(slot) || typeof part !== "string") return this.#copy(part);
      return this.#names.get(part) ?? part;
    };
    return Object.fromEntries(Object.entries(node).map(([slot, part]) => [slot, inPlace(slot, part)]));
  }
}

/** Where a node of a program binds a name. */
function boundIn(node: Node): readonly string[] {
  switch (node.kind) {
    case "let":
      return ["name"];
    case "call":
      return ["bind", "catch", "reason"];
    case "for":
      return ["var", "index"];
    case "while":
      return ["index"];
    case "lambda":
      return [];
    default:
      // A carry of a loop; the parameter of a function is nothing but its name and its type.
      return "init" in node || isParameter(node) ? ["name"] : [];
  }
}

function isParameter(node: Node): boolean {
  return node.kind === undefined && Object.keys(node).every((slot) => slot === "name" || slot === "type");
}

function isNode(node: unknown): node is Node {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const part of node) visit(part, see);
  else if (isNode(node)) {
    see(node);
    for (const [slot, part] of Object.entries(node)) if (slot !== "type") visit(part, see);
  }
}
