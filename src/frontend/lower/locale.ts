/** Locale-dependent operations: the order of texts and the format of numbers, here those of `en-US`. */
import type { Node } from "oxc-parser";
import type { CollationOptions, Expr } from "../../ir/index.ts";
import { num, op, text } from "../build.ts";
import type { BuiltinVal, Val } from "../value.ts";
import { arrayItems } from "./access.ts";
import type { Lowering } from "./core.ts";
import { concatenate } from "./expression.ts";

/** Refuses a language other than that of the United States, which is also that of no language at all. */
export function plainLocale(low: Lowering, locale: Val | undefined, name: string, node: Node): void {
  const items = locale === undefined ? undefined : arrayItems(low, locale);
  const chosen = items === undefined ? locale : items[0];
  if (chosen === undefined || (chosen.kind === "data" && chosen.expr.kind === "none")) return;
  const word = chosen.kind === "data" && chosen.expr.kind === "string" ? chosen.expr.value : undefined;
  if (word === "en" || word === "en-US") return;
  low.refuse(
    node,
    "FC2309",
    `\`${name}\` knows only the language \`en-US\` here`,
    'write "en-US", or leave the language out',
  );
}

/** `Intl.NumberFormat`, the one part of `Intl` that is the same on every machine. */
export function formatOf(
  low: Lowering,
  name: string,
  node: { readonly start: number; readonly end: number },
): BuiltinVal {
  if (name === "NumberFormat") return { kind: "builtin", name: "Intl.NumberFormat" };
  return low.refuse(
    node,
    "FC2401",
    `there is no \`Intl.${name}\` here, because each machine may have another one`,
    'write numbers with `x.toLocaleString("en-US")` or `x.toFixed(2)`, and dates with `.toISOString().slice(0, 10)`',
  );
}

/** The signs of currencies in `en-US`, and their digits. */
const currencies: ReadonlyMap<string, readonly [sign: string, digits: number]> = new Map([
  ["USD", ["$", 2]],
  ["EUR", ["€", 2]],
  ["GBP", ["£", 2]],
  ["JPY", ["¥", 0]],
  ["INR", ["₹", 2]],
  ["CAD", ["CA$", 2]],
  ["AUD", ["A$", 2]],
]);

type Options = ReadonlyMap<string, string | boolean | bigint>;

/** The options that are written out; refuses others. */
function optionsOf(low: Lowering, options: Val | undefined, known: readonly string[], node: Node): Options {
  const found = new Map<string, string | boolean | bigint>();
  if (options === undefined || (options.kind === "data" && options.expr.kind === "none")) return found;
  if (options.kind !== "ref" || options.shape.kind !== "object")
    return low.refuse(node, "FC2309", "the options must be written out here");
  for (const [name, slot] of options.shape.fields) {
    const held = low.read(slot);
    const value = held.kind === "data" ? held.expr : undefined;
    const isPlain = value?.kind === "string" || value?.kind === "bool" || value?.kind === "number";
    const plain = isPlain ? value.value : undefined;
    if (!known.includes(name) || plain === undefined || (typeof plain === "object" && plain !== null))
      return low.refuse(
        node,
        "FC2309",
        `the option \`${name}\` is not part of the language in this form`,
        `there is ${known.map((one) => `\`${one}\``).join(", ")}, with constants`,
      );
    found.set(name, plain);
  }
  return found;
}

const levels = { base: 1, accent: 2, variant: 3 } as const;

/** The options of `localeCompare`. */
export function collationOf(low: Lowering, options: Val | undefined, node: Node): CollationOptions {
  const given = optionsOf(low, options, ["numeric", "sensitivity"], node);
  const sensitivity = given.get("sensitivity") ?? "variant";
  if (sensitivity !== "base" && sensitivity !== "accent" && sensitivity !== "variant")
    return low.refuse(
      node,
      "FC2309",
      `the sensitivity \`${sensitivity}\` is not part of the language`,
      'there is "base", "accent" and "variant"',
    );
  return { isNumeric: given.get("numeric") === true, levels: levels[sensitivity] };
}

/** The text of a number as `toLocaleString` and `Intl.NumberFormat` write it. */
export function numberFormat(low: Lowering, options: Val | undefined, node: Node): (of: Expr) => Expr {
  const known = ["style", "currency", "minimumFractionDigits", "maximumFractionDigits"];
  const given = optionsOf(low, options, known, node);
  const style = given.get("style") ?? "decimal";
  const currency = style === "currency" ? currencies.get(String(given.get("currency"))) : undefined;
  if (style !== "decimal" && style !== "percent" && currency === undefined)
    return low.refuse(
      node,
      "FC2309",
      "this style of numbers is not part of the language",
      `there is "decimal", "percent" and "currency" with ${[...currencies.keys()].map((one) => `"${one}"`).join(", ")}`,
    );
  const usual = currency?.[1];
  const [usualLeast, usualMost] =
    usual !== undefined ? [usual, usual] : style === "percent" ? [0, 0] : [0, 3];
  const least = digitsOf(low, given, "minimumFractionDigits", node);
  const most = digitsOf(low, given, "maximumFractionDigits", node);
  const low1 = least ?? Math.min(usualLeast, most ?? usualLeast);
  const high = most ?? Math.max(usualMost, low1);
  if (low1 > high)
    return low.refuse(node, "FC2309", "the minimum number of digits is above the maximum", "fix the options");
  const written = (of: Expr) => op("groupedText", of, num(BigInt(low1)), num(BigInt(high)));
  if (style === "percent") return (of) => concatenate([written(op("*", of, num(100n))), text("%")]);
  if (currency === undefined) return written;
  const [unit] = currency;
  // The sign stands before that of the currency.
  return (of) => {
    const isBelow = op("<", of, num(0n));
    const sign = op("if", isBelow, text(`-${unit}`), text(unit));
    return concatenate([sign, written(op("abs", of))]);
  };
}

function digitsOf(low: Lowering, given: Options, name: string, node: Node): number | undefined {
  const value = given.get(name);
  if (value === undefined) return undefined;
  if (typeof value === "bigint" && value >= 0n && value <= 20n) return Number(value);
  return low.refuse(node, "FC2309", `\`${name}\` takes a number of digits from 0 to 20`);
}
