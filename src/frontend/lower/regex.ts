/** Regular expressions: only whether a text has a match can be asked, and only of an expression that is written out. */
import type { Node } from "oxc-parser";
import { defaultLimits, readPattern } from "../../ir/index.ts";
import { op, text } from "../build.ts";
import { ignoringCase } from "../ignore-case.ts";
import { bool } from "../ty.ts";
import { data, type RegexVal, type Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { textArgument } from "./text-method.ts";

export function regexLiteral(low: Lowering, node: Node, source: string, flags: string): RegexVal {
  for (const flag of flags) {
    if (flag === "i") continue;
    low.refuse(
      node,
      "FC2321",
      flag === "g" || flag === "y"
        ? `with the flag \`${flag}\` an expression remembers where it stopped`
        : `the flag \`${flag}\` is not part of the language`,
      "leave the flag out; `i` is the only one that can stand here",
    );
  }
  const options = { most: defaultLimits.patternSize };
  const read = readPattern(source, options);
  if (!read.ok) low.refuse(node, "FC2321", read.problem.message, read.problem.help ?? advice);
  if (!flags.includes("i")) return { kind: "regex", pattern: source };
  const pattern = ignoringCase(source);
  const widened = readPattern(pattern, options);
  if (!widened.ok) low.refuse(node, "FC2321", widened.problem.message, advice);
  return { kind: "regex", pattern };
}

const advice = "make it simpler, or use `includes`, `startsWith` or `endsWith`";

export function regexMethod(
  low: Lowering,
  of: RegexVal,
  name: string,
  args: readonly Val[],
  node: Node,
): Val {
  if (name !== "test")
    return low.refuse(
      node,
      "FC2321",
      `\`.${name}\` of a regular expression is not part of the language`,
      "ask with `.test` whether a text has a match, and take texts apart with `split`, `slice` and `indexOf`",
    );
  if (args.length > 1) return low.refuse(node, "FC2314", "`.test` takes one argument");
  return data(op("matches", textArgument(low, args[0], name, node), text(of.pattern)), bool);
}

/** `new RegExp(…)` and `RegExp(…)`: what is not written out cannot be looked at before the run. */
export function refuseRegExp(low: Lowering, node: Node): never {
  return low.refuse(
    node,
    "FC2321",
    "an expression that is put together in a run cannot be looked at before it",
    "write it out: `/^[a-z]+$/.test(name)`",
  );
}
