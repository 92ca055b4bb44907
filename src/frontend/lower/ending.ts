/** Finds the variables that can end a loop, to decide if unrolling can terminate. */
import type { DoWhileStatement, Expression, ForStatement, Node, WhileStatement } from "oxc-parser";
import { same } from "../build.ts";
import type { Scope } from "../scope.ts";
import { bare } from "../syntax.ts";
import type { Val } from "../value.ts";
import type { Lowering, State } from "./core.ts";
import { childNodes } from "./iterate.ts";

export type LoopStatement = ForStatement | WhileStatement | DoWhileStatement;

/** The names that decide whether there is another turn; undefined if any may. */
type Ending = ReadonlySet<string> | undefined;

/**
 * Returns the names in the conditions that end the loop, and those that they are computed from in it. What a tool returns
 * is computed from nothing that is known.
 */
function endingNames(test: Expression | null, body: Node): Ending {
  const names = new Set<string>();
  const roots: Node[] = [...(test === null ? [] : [test]), ...exitConditions(body)];
  if (!roots.every((root) => addNames(root, names))) return undefined;
  const settings = settingsIn(body);
  for (let before = -1; before < names.size; ) {
    before = names.size;
    for (const { targets, from } of settings)
      if (targets.some((name) => names.has(name)) && !from.every((node) => addNames(node, names)))
        return undefined;
  }
  return names;
}

/** False if a function of the source is called, which may read anything. */
function addNames(node: Node, names: Set<string>): boolean {
  if (node.type === "Identifier") {
    names.add(node.name);
    return true;
  }
  if (node.type === "AwaitExpression") {
    const call = bare(node.argument);
    if (call.type === "CallExpression" && call.callee.type === "MemberExpression") return true;
  }
  if (node.type === "CallExpression" && node.callee.type === "Identifier") return false;
  return childNodes(node).every((child) => addNames(child, names));
}

/** The conditions under which a statement of the loop leaves it. */
function exitConditions(node: Node): Node[] {
  const inner = childNodes(node).flatMap(exitConditions);
  const test =
    node.type === "IfStatement" ? node.test : node.type === "SwitchStatement" ? node.discriminant : undefined;
  return test !== undefined && leaves(node) ? [test, ...inner] : inner;
}

function leaves(node: Node): boolean {
  switch (node.type) {
    case "BreakStatement":
    case "ReturnStatement":
    case "ThrowStatement":
      return true;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return false;
    default:
      return childNodes(node).some(leaves);
  }
}

interface Setting {
  readonly targets: readonly string[];
  readonly from: readonly Node[];
}

/** All places that give names of the loop their values. */
function settingsIn(node: Node): Setting[] {
  const inner = childNodes(node).flatMap(settingsIn);
  switch (node.type) {
    case "AssignmentExpression":
      return [{ targets: namesIn(node.left), from: [node.left, node.right] }, ...inner];
    case "VariableDeclarator":
      return [{ targets: namesIn(node.id), from: node.init ? [node.init] : [] }, ...inner];
    case "ForOfStatement":
      return [{ targets: namesIn(node.left), from: [node.right] }, ...inner];
    case "CallExpression":
      return node.callee.type === "MemberExpression"
        ? [{ targets: namesIn(node.callee.object), from: node.arguments }, ...inner]
        : inner;
    default:
      return inner;
  }
}

function namesIn(node: Node): string[] {
  return node.type === "Identifier" ? [node.name] : childNodes(node).flatMap(namesIn);
}

/** LIMIT: of turns after which it is looked at; a loop that has taken more is written out, if a known condition ends it. */
const mostLooks = 64;

/** Sees whether the turns of a loop can come to an end by what is known of them. */
export class Ends {
  readonly #low: Lowering;
  readonly #head: (() => Scope) | undefined;
  readonly #ending: Ending;
  /** True if only a statement of its body can end it. */
  readonly #isEndless: boolean;
  #state: State = new Map();
  #variables: ReadonlyMap<string, Val> = new Map();
  #turns = 0;

  /** @param head the names of the head, in the turn that is under way */
  constructor(low: Lowering, loop: LoopStatement, head?: () => Scope) {
    this.#low = low;
    this.#head = head;
    const test = loop.test === null ? null : bare(loop.test);
    this.#isEndless = test === null || (test.type === "Literal" && test.value === true);
    this.#ending = endingNames(test, loop);
  }

  /** A turn begins. */
  begin(): void {
    if (++this.#turns > mostLooks) return;
    this.#state = new Map(this.#low.state);
    this.#variables = this.#values();
  }

  /** Returns whether the turn has changed something that is known and may end the loop. */
  mayEnd(): boolean {
    const low = this.#low;
    if (this.#turns > mostLooks) return !this.#isEndless || low.path.kind === "bool";
    for (const [name, now] of this.#values())
      if (this.#ends(name) && isKnown(now) && !isSame(now, this.#variables.get(name))) return true;
    for (const [slot, was] of this.#state) {
      const now = low.state.get(slot);
      if (now !== undefined && this.#ends(low.slotNames.get(slot)) && isKnown(now) && !isSame(now, was))
        return true;
    }
    return false;
  }

  #ends(name: string | undefined): boolean {
    return name === undefined || this.#ending === undefined || this.#ending.has(name);
  }

  #values(): ReadonlyMap<string, Val> {
    const found = new Map<string, Val>();
    for (const [name, binding] of this.#head?.().names ?? [])
      if (binding.kind === "let") found.set(name, this.#low.read(binding.slot));
    return found;
  }
}

function isSame(a: Val, b: Val | undefined): boolean {
  return a === b || (a.kind === "data" && b?.kind === "data" && same(a.expr, b.expr));
}

function isKnown(value: Val): boolean {
  if (value.kind !== "data") return value.kind !== "poison";
  return ["bool", "number", "string", "none", "list", "record"].includes(value.expr.kind);
}
