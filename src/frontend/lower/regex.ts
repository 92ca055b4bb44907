/** Regular expressions that are written out, and the methods that take them. */
import type { Node } from "oxc-parser";
import { defaultLimits, type Expr, readExpression, readPattern } from "../../ir/index.ts";
import { choose, field, none, num, op, some, text, variable } from "../build.ts";
import { ignoringCase } from "../ignore-case.ts";
import { bool, int, listTy, matchTy, optionTy, string } from "../ty.ts";
import { type DataVal, data, type RegexVal, type Val } from "../value.ts";
import { newList } from "./access.ts";
import { computed, invoke } from "./callback.ts";
import { textOf } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { matchItems, matchMember, namedGroups } from "./match.ts";
import { branch } from "./merge.ts";
import { textArgument } from "./text-method.ts";

export function regexLiteral(low: Lowering, node: Node, source: string, flags: string): RegexVal {
  const written = `/${source}/${flags}`;
  const read = readExpression(written, defaultLimits.patternSize);
  if (!read.ok) low.refuse(node, "FC2321", read.problem.message, read.problem.help ?? advice);
  const pattern = patternOf(source, flags);
  const regex: RegexVal = { kind: "regex", written, expression: read.expression };
  return pattern === undefined ? regex : { ...regex, pattern };
}

const advice = "make it simpler, or use `includes`, `startsWith` or `endsWith`";

/** The expression as a pattern of which a prover knows the texts, if it is one. */
function patternOf(source: string, flags: string): string | undefined {
  if (/[^gi]/.test(flags)) return undefined;
  const options = { most: defaultLimits.patternSize };
  if (!readPattern(source, options).ok) return undefined;
  if (!flags.includes("i")) return source;
  const pattern = ignoringCase(source);
  return readPattern(pattern, options).ok ? pattern : undefined;
}

/** `new RegExp(…)` and `RegExp(…)`, of texts that are known. */
export function regexOf(low: Lowering, args: readonly Val[], node: Node): RegexVal {
  const [source, flags] = args;
  const known = (val: Val | undefined): string | undefined =>
    val?.kind === "data" && val.expr.kind === "string" ? val.expr.value : undefined;
  const given = flags === undefined ? "" : known(flags);
  if (source?.kind === "regex" && flags === undefined) return source;
  const written = known(source);
  if (written === undefined || given === undefined || written === "")
    return low.refuse(
      node,
      "FC2321",
      "an expression that is put together in a run cannot be looked at before it",
      "write it out: `/^[a-z]+$/`, or look for the text itself with `includes`, `indexOf` or `split`",
    );
  return regexLiteral(low, node, written, given);
}

const methods = "`test` and `exec`";

export function regexMethod(
  low: Lowering,
  of: RegexVal,
  name: string,
  args: readonly Val[],
  node: Node,
): Val {
  if (name !== "test" && name !== "exec")
    return low.refuse(
      node,
      "FC2321",
      `\`.${name}\` of a regular expression is not part of the language`,
      `there is ${methods}, and \`match\`, \`matchAll\`, \`replace\`, \`split\` and \`search\` of texts`,
    );
  if (args.length > 1) return low.refuse(node, "FC2314", `\`.${name}\` takes one argument`);
  if (of.expression.flags.isGlobal)
    return low.refuse(
      node,
      "FC2321",
      "with the flag `g` an expression remembers where it stopped",
      name === "test" ? "remove the flag" : "remove the flag, or use `text.matchAll(…)`",
    );
  const searched = textArgument(low, args[0], name, node);
  return name === "test" ? data(tested(of, searched), bool) : first(of, searched);
}

/** Applies a use to one of several expressions: each under the condition that the value is it. */
export function overRegexes(low: Lowering, val: DataVal, node: Node, use: (one: RegexVal) => Val): Val {
  const options = val.type.kind === "regex" ? val.type.options : [];
  const expr = low.named(val.expr, "pattern", node);
  const from = (i: number): Val => {
    const one = options[i];
    if (one === undefined) throw new TypeError("an expression is one of those that it can be");
    if (i === options.length - 1) return use(one);
    return branch(
      low,
      op("==", expr, text(one.written)),
      node,
      "pattern",
      () => use(one),
      () => from(i + 1),
    );
  };
  return from(0);
}

function tested(of: RegexVal, searched: Expr): Expr {
  return of.pattern === undefined
    ? op("hasMatch", searched, text(of.written))
    : op("matches", searched, text(of.pattern));
}

/** The first match, or `null`. */
function first(of: RegexVal, searched: Expr): DataVal {
  const found = op("firstMatch", searched, text(of.written));
  const type = optionTy(matchTy(of.expression), "null");
  if (of.pattern === undefined) return data(found, type);
  // A prover knows which texts have one.
  return data(choose(tested(of, searched), some(op("value", found)), none), type);
}

/** `match`, `matchAll`, `search`, `replace`, `replaceAll` and `split` with a regular expression. */
export function matchMethod(low: Lowering, of: DataVal, name: string, args: readonly Val[], node: Node): Val {
  const [by, second] = args;
  if (by?.kind === "data" && by.type.kind === "regex")
    return overRegexes(low, by, node, (one) => matchMethod(low, of, name, [one, ...args.slice(1)], node));
  if (by?.kind !== "regex")
    return low.refuse(
      node,
      "FC2321",
      `\`.${name}\` takes a regular expression that is written out`,
      "write it out, such as `/[a-z]+/`, or use `includes`, `indexOf` or `split`",
    );
  const isGlobal = by.expression.flags.isGlobal;
  if ((name === "matchAll" || name === "replaceAll") && !isGlobal)
    return low.refuse(node, "FC2321", `\`.${name}\` needs the flag \`g\``, "write it behind: `/…/g`");
  if (args.length > (name === "replace" || name === "replaceAll" || name === "split" ? 2 : 1))
    return low.refuse(node, "FC2314", `\`.${name}\` takes fewer arguments`);
  const searched = low.named(of.expr, "text", node);
  const all = op("allMatches", searched, text(by.written));
  switch (name) {
    case "match":
      return isGlobal ? allTexts(low, all, node) : first(by, searched);
    case "matchAll":
      return newList(low, data(all, listTy(matchTy(by.expression))));
    case "search": {
      const found = low.named(op("firstMatch", searched, text(by.written)), "found", node);
      return data(choose(op("isSome", found), field(op("value", found), "index"), num(-1n)), int);
    }
    case "replace":
    case "replaceAll":
      return data(replaced(low, searched, by, second, node), string);
    case "split":
      return splitBy(low, searched, by, second, node);
  }
  return low.refuse(node, "FC2321", `\`.${name}\` takes no regular expression`, "give it a text");
}

/** The texts of all matches; `null` if there are none. */
function allTexts(low: Lowering, all: Expr, node: Node): Val {
  const found = low.named(all, "found", node);
  const name = low.names.fresh("match");
  const [whole] = matchItems(variable(name), { names: [], always: [] });
  const texts = op("map", found, {
    kind: "lambda",
    params: [{ name }],
    body: whole?.expr ?? text(""),
  });
  const expr = choose(op(">", op("length", found), num(0n)), some(texts), none);
  return data(expr, optionTy(listTy(string), "null"));
}

function replaced(low: Lowering, searched: Expr, by: RegexVal, to: Val | undefined, node: Node): Expr {
  if (to?.kind !== "function" && to?.kind !== "choice" && to?.kind !== "builtin")
    return op("replaceMatch", searched, text(by.written), textArgument(low, to, "replace", node));
  const all = op("allMatches", searched, text(by.written));
  const matches = by.expression.flags.isGlobal ? all : op("slice", all, num(0n), num(1n));
  const name = low.names.fresh("match");
  const body = computed(
    low,
    () => data(textOf(low, invoke(low, to, given(to, by, variable(name), searched), node), node), string),
    true,
  );
  if (body === undefined)
    return low.refuse(
      node,
      "FC2321",
      "the function of `.replace` does more than compute a text",
      "loop over `text.matchAll(…)` for what else it does",
    );
  const lambda: Expr = { kind: "lambda", params: [{ name }], body: body.wrap(body.value.expr) };
  return op("replaceMatches", searched, text(by.written), op("map", matches, lambda));
}

/**
 * Returns the arguments that JavaScript passes to a replacer: the match, its groups, its index, the text, and the
 * named groups.
 */
function given(to: Val, { expression }: RegexVal, match: Expr, searched: Expr): readonly Val[] {
  const parts: Val[] = [...matchItems(match, expression)];
  if (to.kind === "builtin") return parts.slice(0, 1);
  const index = matchMember(match, expression, "index");
  if (index !== undefined) parts.push(index);
  parts.push(data(searched, string));
  if (expression.names.some((name) => name !== undefined)) parts.push(namedGroups(match, expression));
  return parts;
}

/** SOUNDNESS: a group that holds nothing would be `undefined` among the parts, which are texts here. */
function splitBy(low: Lowering, searched: Expr, by: RegexVal, limit: Val | undefined, node: Node): Val {
  if (by.expression.always.some((is) => !is))
    return low.refuse(
      node,
      "FC2321",
      "a group that may hold nothing would give `undefined` among the parts",
      "write `(?:…)` instead of `(…)`",
    );
  const parts = op("splitByMatch", searched, text(by.written));
  return newList(low, data(limited(low, parts, limit, node), listTy(string)));
}

/** The first parts, as many as the second argument of `split` says. */
export function limited(low: Lowering, parts: Expr, limit: Val | undefined, node: Node): Expr {
  if (limit === undefined || (limit.kind === "data" && limit.expr.kind === "none")) return parts;
  const { expr } = reify(low, limit, node);
  if (
    expr.kind !== "number" ||
    typeof expr.value !== "bigint" ||
    expr.value < 0n ||
    expr.value > 0xffff_ffffn
  )
    return low.refuse(
      node,
      "FC2314",
      "the limit of `.split` must be a constant that is not negative",
      "use `slice` on what it gives",
    );
  return op("slice", parts, num(0n), num(expr.value));
}
