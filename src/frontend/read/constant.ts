/** Constants of modules, and the declarations among them: computed when first used, and once. */
import type { VariableDeclarationKind, VariableDeclarator } from "oxc-parser";
import { yes } from "../build.ts";
import { annotatedType } from "../lower/annotation.ts";
import { wrapped } from "../lower/callback.ts";
import { makeStatics } from "../lower/class.ts";
import type { Lowering } from "../lower/core.ts";
import { hinted } from "../lower/data.ts";
import { expression } from "../lower/expression.ts";
import { refuse } from "../refusal.ts";
import type { Getter } from "../scope.ts";
import { bare, type Module } from "../syntax.ts";
import { type ClassVal, data, type Val } from "../value.ts";
import { declared } from "./declare.ts";
import { spotOf, type World } from "./modules.ts";

export function constantGetter(
  world: World,
  module: Module,
  kind: VariableDeclarationKind,
  name: string,
  node: VariableDeclarator,
): Getter {
  const known = new WeakMap<Lowering, Val>();
  const here = spotOf(module, node);
  let entity: Val | undefined;
  let open = false;
  const guarded = <T>(body: () => T): T => {
    if (open) refuse(here, "FC2406", `\`${name}\` depends on itself`);
    open = true;
    try {
      return body();
    } finally {
      open = false;
    }
  };
  return (low) => {
    if (kind !== "const") {
      return refuse(
        here,
        module.trusted ? "FC2204" : "FC2007",
        `\`${name}\` can change, so it is not a constant`,
        "declare it with `const`",
      );
    }
    if (entity !== undefined) return entity;
    if (!node.init) return refuse(here, "FC2204", `\`${name}\` has no value`);
    const init = bare(node.init);
    const word = packageWord(module, init);
    if (word !== undefined) {
      if (!module.trusted && word !== "program")
        return refuse(
          spotOf(module, init),
          "FC2009",
          `a program cannot declare a ${word}`,
          "declare it in a tool module, which a person trusts",
        );
      entity = guarded(() => declared(world, module, word, name, init));
      return entity;
    }
    // In JavaScript the constants of a module get their values in the order in which they stand.
    if (world.computing.some((one) => one.module === module && one.start < node.start))
      return refuse(here, "FC2402", `\`${name}\` is used by a constant above it`, "move it up");
    const before = known.get(low);
    if (before !== undefined) return before;
    world.computing.push({ module, start: node.start });
    try {
      const value = guarded(() => evaluated(low, module, name, node));
      known.set(low, value);
      return value;
    } finally {
      world.computing.pop();
    }
  };
}

/** A class of a module, whose static fields are made where it stands. */
export function classGetter(world: World, module: Module, of: ClassVal): Getter {
  const known = new WeakMap<Lowering, ClassVal>();
  const { start } = of.node;
  return (low) => {
    if (world.computing.some((one) => one.module === module && one.start < start))
      return refuse(
        spotOf(module, of.node),
        "FC2402",
        `\`${of.name}\` is used by a constant above it`,
        "move it up",
      );
    const before = known.get(low);
    if (before !== undefined) return before;
    world.computing.push({ module, start });
    try {
      return atModuleLevel(low, module, of.node, () => {
        makeStatics(low, of, (made) => known.set(low, made));
        return known.get(low) ?? of;
      });
    } catch (thrown) {
      // One that is half made is no class.
      known.delete(low);
      throw thrown;
    } finally {
      world.computing.pop();
    }
  };
}

/** `tool` for `tool({ … })`, if that is the package's own. */
export function packageWord(module: Module, node: ReturnType<typeof bare>): string | undefined {
  if (node.type !== "CallExpression") return undefined;
  const callee = bare(node.callee);
  const binding = callee.type === "Identifier" ? module.scope.get(callee.name) : undefined;
  if (
    binding?.kind !== "const" ||
    binding.value.kind !== "builtin" ||
    !binding.value.name.startsWith("foreclaim:")
  )
    return undefined;
  const word = binding.value.name.slice("foreclaim:".length);
  return ["tool", "fluent", "contract", "coverage", "program"].includes(word) ? word : undefined;
}

function evaluated(low: Lowering, module: Module, name: string, node: VariableDeclarator): Val {
  const { init } = node;
  if (!init) throw new TypeError("a constant without a value");
  return atModuleLevel(low, module, init, () => {
    const value = expression(low, module.scope, init, name);
    return value.kind === "ref" ? hinted(low, value, annotatedType(low, node.id)) : value;
  });
}

/** Runs `body` as if nothing of the program had happened, because nothing of it can matter. */
export function atModuleLevel(
  low: Lowering,
  module: Module,
  at: { readonly start: number; readonly end: number },
  body: () => Val,
): Val {
  const outer = {
    state: low.state,
    buffer: low.buffer,
    path: low.path,
    mode: low.mode,
    exits: low.exits,
    module: low.module,
    tries: low.tries,
  };
  low.state = low.constants;
  low.buffer = [];
  low.path = yes;
  low.mode = { kind: "formula", view: "values" };
  low.exits = [];
  low.module = module;
  low.tries = 0;
  try {
    const value = body();
    if (low.exits.length > 0)
      low.refuse(at, "FC2204", "this throws when the module is loaded", "give it a value");
    return value.kind === "data" ? data(wrapped(low.buffer, value.expr), value.type) : value;
  } finally {
    Object.assign(low, outer);
  }
}
