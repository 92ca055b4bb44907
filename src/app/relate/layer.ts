/** The tools and fluents of several places as one layer. */
import { isDeepStrictEqual } from "node:util";
import type { Layer } from "../../compare/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";

/** SOUNDNESS: two things of one name are one only if they are the same, or what is said of one would be taken for the other. */
export function joinedLayer(layers: readonly Layer[]): Result<Layer, Failure> {
  const tools = joined(layers.flatMap((layer) => layer.tools));
  if (!tools.ok) return tools;
  const fluents = joined(layers.flatMap((layer) => layer.fluents));
  if (!fluents.ok) return fluents;
  return ok({ tools: tools.value, fluents: fluents.value });
}

function joined<T extends { readonly name: string }>(all: readonly T[]): Result<readonly T[], Failure> {
  const byName = new Map<string, T>();
  for (const one of all) {
    const known = byName.get(one.name);
    if (known === undefined) byName.set(one.name, one);
    else if (!isDeepStrictEqual(known, one)) {
      const message = `two different things are called \`${one.name}\``;
      const help = "compare programs of the same tool modules, or name their folders with --tools";
      return plainFailure("FC9001", message, help);
    }
  }
  return ok([...byName.values()]);
}
