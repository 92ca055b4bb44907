/** Texts that match a regular expression, as far as a simple sampler finds them. */
import { type Expression, readExpression } from "../../../ir/index.ts";
import type { Chance } from "./chance.ts";

type Tree = Expression["tree"];

const characters: readonly string[] = [..."a0bx1A9Z -_.@/:,;!?#$%&+=<>()[]{}|~'\"\n\té"];
/** LIMIT: of an expression that texts are made for, and of counts in it. */
const mostPlaces = 500;
const mostTimes = 40;

/** A text for a pattern that is written `/…/flags` or as its bare source; undefined if the pattern cannot be read. */
export function sampleText(written: string, chance: Chance): string | undefined {
  const isWhole = /^\/.*\/[gimsu]*$/s.test(written);
  const read = readExpression(isWhole ? written : `/${written}/`, mostPlaces);
  return read.ok ? sample(read.expression.tree, chance) : undefined;
}

function sample(tree: Tree, chance: Chance): string {
  switch (tree.kind) {
    case "one":
      return character(tree.source, chance);
    case "sequence":
      return tree.parts.map((part) => sample(part, chance)).join("");
    case "choice": {
      const part = chance.pick(tree.parts);
      return part === undefined ? "" : sample(part, chance);
    }
    case "repeat": {
      const more = chance.odds(80) ? 3 : 12;
      const room = tree.most === undefined ? more : Math.min(more, tree.most - tree.least);
      const times = Math.min(mostTimes, tree.least + chance.below(room + 1));
      return Array.from({ length: times }, () => sample(tree.of, chance)).join("");
    }
    case "group":
      return sample(tree.of, chance);
    case "place":
      return "";
    case "look":
      return tree.isAhead && !tree.isNegated ? sample(tree.of, chance) : "";
  }
}

function character(source: string, chance: Chance): string {
  const pattern = new RegExp(`^(?:${source})$`, "u");
  const fitting = characters.filter((one) => pattern.test(one));
  return chance.pick(fitting.slice(0, 6)) ?? (source.length === 1 ? source : source.replace(/^\\/, ""));
}
