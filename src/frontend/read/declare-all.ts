/** Every tool, fluent and contract of the loaded modules: a trusted module is right as a whole. */
import { bare, type Module } from "../syntax.ts";
import type { Val } from "../value.ts";
import { packageWord } from "./constant.ts";
import { lowering } from "./declare.ts";
import { spotOf, type World } from "./modules.ts";

export interface Entity {
  readonly module: Module;
  readonly value: Val;
  /** Start of its statement. */
  readonly start: number;
}

export function declareAll(world: World): Entity[] {
  const found: Entity[] = [];
  for (const module of world.modules.values()) {
    if (!module.trusted) continue;
    const low = lowering(world, module, { kind: "formula", view: "values" });
    for (const statement of module.source.program.body) {
      const node = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
      if (node?.type !== "VariableDeclaration") continue;
      for (const one of node.declarations) {
        if (one.id.type !== "Identifier" || !one.init || packageWord(module, bare(one.init)) === undefined)
          continue;
        const { name } = one.id;
        const binding = module.scope.get(name);
        if (binding?.kind !== "lazy") continue;
        const value = world.problems.attempt(() => binding.get(low, spotOf(module, one)), undefined);
        if (value !== undefined) found.push({ module, value, start: statement.start });
      }
    }
  }
  return found;
}
