/**
 * Generators. A loop over one runs its body: a `yield` is where the body of the loop stands. So calls of the generator and
 * calls of the loop come in the order in which JavaScript makes them, and what the loop leaves early runs no further.
 */
import type { ForOfStatement, Node, YieldExpression } from "oxc-parser";
import { no } from "../build.ts";
import { Scope } from "../scope.ts";
import { bool } from "../ty.ts";
import { data, type FunctionVal, type GeneratorVal, undefinedVal, type Val } from "../value.ts";
import { newArray } from "./access.ts";
import { arrayMethod } from "./array.ts";
import type { Exit, Lowering } from "./core.ts";
import { expression, waitFor } from "./expression.ts";
import { bindParameters, blockOf } from "./function.ts";
import { overValues } from "./iterate.ts";
import { iterated } from "./json.ts";
import { type Breakable, breakable, go } from "./labels.ts";
import { rejoin, takeExits } from "./rejoin.ts";

type At = { readonly start: number; readonly end: number };

/** A generator whose body is being compiled. */
export interface Yielding {
  readonly node: FunctionVal["node"];
  /** Number of `try` blocks around its body; a `yield` inside a further one is refused. */
  readonly tries: number;
  /** Consumes a yielded value. */
  readonly give: (value: Val, node: Node) => void;
  /** Its body, which a `return` leaves. */
  readonly body: Breakable;
  readonly returning: number;
}

const goOver = "go over it with `for (const x of …)`, or spread it into an array: `[...it]`";

/** A call of a generator function: its parameters have their values, and its body has not begun. */
export function generatorOf(low: Lowering, fn: FunctionVal, args: readonly Val[]): GeneratorVal {
  const scope = new Scope(fn.scope);
  scope.set("this", fn.self === undefined ? { kind: "later" } : { kind: "const", value: fn.self });
  bindParameters(low, fn.node, scope, args);
  return { kind: "generator", fn, scope, begun: low.newSlot(data(no, bool)) };
}

/** `for (const x of generator)`. The innermost loop is that of the statement. */
export function overGenerator(
  low: Lowering,
  gen: GeneratorVal,
  node: ForOfStatement,
  body: (item: Val) => void,
): void {
  if (gen.fn.node.async && !node.await)
    low.refuse(node, "FC2305", `\`${gen.fn.name}\` is asynchronous`, "write `for await (… of …)`");
  const target = low.breakables.at(-1);
  if (target === undefined) throw new TypeError("a loop statement is a breakable");
  const entry = low.path;
  const leaving = low.newSlot(data(no, bool));
  const consumer = frameOf(low);
  const give = (item: Val, at: Node): void => {
    const value = node.await ? waitFor(low, item, at) : item;
    const outer = enter(low, consumer);
    const hidden = low.breakables.slice(consumer.breakables).filter((one) => !one.isHidden);
    for (const one of hidden) one.isHidden = true;
    let normal = { path: low.path, state: low.state };
    try {
      breakable(low, true, target.label, node, () => {
        const before = low.path;
        const exits = low.collectExits(() => body(value));
        const mine = takeExits(low, exits, ["break", "continue"]);
        const breaks = mine.filter((exit) => exit.kind === "break");
        const isWhole = breaks.length === 0 && mine.length === exits.length;
        const continues = mine.filter((exit) => exit.kind === "continue");
        rejoin(low, continues, isWhole ? before : undefined, node);
        normal = { path: low.path, state: low.state };
        low.path = no;
        rejoin(low, breaks, undefined, node);
      });
    } finally {
      for (const one of hidden) one.isHidden = false;
      enter(low, outer);
    }
    // A `break` of the loop ends the generator too, wherever in its own loops it stands.
    if (low.isReached) go(low, { kind: "break", target, slot: leaving }, node);
    low.path = normal.path;
    low.state = normal.state;
  };
  const exits = low.collectExits(() => runGenerator(low, gen, give, node));
  const breaks = takeExits(low, exits, ["break"]);
  rejoin(low, breaks, breaks.length === exits.length ? entry : undefined, node);
}

/** Returns an iterable value: a generator becomes the array of its yields. */
export function spreadable(low: Lowering, val: Val, node: Node): Val {
  if (val.kind !== "generator") return iterated(low, val, node);
  if (val.fn.node.async)
    return low.refuse(
      node,
      "FC2305",
      `\`${val.fn.name}\` is asynchronous and cannot be spread`,
      "go over it with `for await (const x of …)`, and push what it gives into an array",
    );
  const array = newArray(low, []);
  runGenerator(low, val, (item, at) => void arrayMethod(low, array, "push", [item], at), node);
  return array;
}

/** Runs the body to its end, with every value that it yields. */
function runGenerator(low: Lowering, gen: GeneratorVal, give: Yielding["give"], node: Node): void {
  const { fn, scope } = gen;
  const { node: code, name } = fn;
  const begun = low.read(gen.begun);
  if (begun.kind !== "data" || begun.expr.kind !== "bool" || begun.expr.value)
    low.refuse(
      node,
      "FC2305",
      `\`${name}\` may have been gone over before, and a generator gives its values once`,
      `call \`${name}(…)\` again where it is gone over`,
    );
  low.write(gen.begun, data({ kind: "bool", value: true }, bool), node);
  if (low.stack.some((frame) => frame.node === code))
    low.refuse(
      node,
      "FC2307",
      `\`${name}\` calls itself`,
      "push what it finds into an array: `const found = []; … found.push(x)`",
    );
  const { body: block } = code;
  if (block === null || block.type !== "BlockStatement")
    low.refuse(node, "FC2308", `\`${name}\` has no body`);
  low.deeper(node, () => {
    const outer = frameOf(low);
    low.stack.push({ node: code, name, isAwaited: true, args: [], firstSlot: low.nextSlot });
    low.module = fn.module;
    low.triesAround = low.tries;
    try {
      breakable(low, false, undefined, node, () => {
        const own = low.breakables.at(-1);
        if (own === undefined) throw new TypeError("it was put there");
        const returning = low.newSlot(data(no, bool));
        low.yielding = { node: code, tries: low.tries, give, body: own, returning };
        const entry = low.path;
        const exits: readonly Exit[] = low.collectExits(() => blockOf(low, block.body, scope, fn.module));
        const returns = takeExits(low, exits, ["break"]);
        rejoin(low, returns, returns.length === exits.length ? entry : undefined, node);
      });
    } finally {
      low.stack.pop();
      low.module = outer.module;
      low.triesAround = outer.triesAround;
      low.yielding = outer.yielding;
    }
  });
}

/** `yield x` and `yield* list`. A loop over the generator sends nothing back. */
export function yielded(low: Lowering, scope: Scope, node: YieldExpression): Val {
  const { yielding } = low;
  if (yielding === undefined || low.stack.at(-1)?.node !== yielding.node)
    return low.refuse(node, "FC2305", "`yield` is only allowed in a generator");
  if (low.tries > yielding.tries)
    return low.refuse(
      node,
      "FC2305",
      "a `yield` inside `try` is not part of the language",
      "keep the value in a variable, and yield it after the `try`",
    );
  const value = node.argument ? expression(low, scope, node.argument) : undefinedVal;
  if (!node.delegate) {
    yielding.give(yielding.node.async ? waitFor(low, value, node) : value, node);
    return undefinedVal;
  }
  if (value.kind === "generator") {
    if (value.fn.node.async && !yielding.node.async)
      low.refuse(node, "FC2305", `\`${value.fn.name}\` is asynchronous`, goOver);
    runGenerator(low, value, yielding.give, node);
    return answerOfGenerator;
  }
  breakable(low, true, undefined, node, () =>
    overValues(low, iterated(low, value, node), false, "item", node, (item) => yielding.give(item, node)),
  );
  return undefinedVal;
}

const answerOfGenerator: Val = { kind: "poison" };

/** `return` in a generator: its values end. */
export function endGenerator(low: Lowering, node: Node): void {
  const { yielding } = low;
  if (yielding !== undefined)
    go(low, { kind: "break", target: yielding.body, slot: yielding.returning }, node);
}

/** Returns whether the function that is being compiled is a generator. */
export function isInGenerator(low: Lowering): boolean {
  return low.yielding !== undefined && low.stack.at(-1)?.node === low.yielding.node;
}

/** The function that is being compiled, and what belongs to it. */
interface InFrame {
  readonly frames: Lowering["stack"];
  readonly module: Lowering["module"];
  readonly triesAround: number;
  readonly yielding: Yielding | undefined;
  readonly breakables: number;
}

function frameOf(low: Lowering): InFrame {
  const { module, triesAround, yielding } = low;
  return { frames: [...low.stack], module, triesAround, yielding, breakables: low.breakables.length };
}

function enter(low: Lowering, frame: InFrame): InFrame {
  const outer = frameOf(low);
  low.stack.splice(0, low.stack.length, ...frame.frames);
  low.module = frame.module;
  low.triesAround = frame.triesAround;
  low.yielding = frame.yielding;
  return outer;
}

export function refuseGenerator(low: Lowering, name: string, node: At): never {
  return low.refuse(node, "FC2305", `\`${name}\` of a generator is not part of the language`, goOver);
}
