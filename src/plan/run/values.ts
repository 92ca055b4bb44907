/** Values between a plan, the tools and the kernel, exactly or not at all. */
import { isJsonArray, type Json, JsonNumber, jsOfNum, readJson } from "../../ir/index.ts";
import { decodeValue, type Kernel } from "../../kernel/index.ts";
import { markWords, possibleAt, toJson, unknownKey } from "../../run/index.ts";
import { isReceivable } from "../values.ts";

/** What stands at a key of the state now. */
export function cellOf(kernel: Pick<Kernel, "cell">, key: string): Json | undefined {
  const text = kernel.cell(key);
  if (text === undefined) return undefined;
  const read = readJson(text);
  if (!read.ok) throw new TypeError(`the kernel holds something under \`${key}\` that is not JSON`);
  return read.value.value;
}

/** Everything that may stand there: a call that failed may have set it, or not. */
export function possibleIn(kernel: Pick<Kernel, "cell">, key: string): ReturnType<typeof possibleAt> {
  return possibleAt(key, (one) => cellOf(kernel, one));
}

/** Why it is not known what a key holds, in the words that were kept. */
export function whyUnknown(kernel: Pick<Kernel, "cell">, key: string): string {
  const mark = cellOf(kernel, unknownKey(key)) ?? cellOf(kernel, unknownKey(key.replace(/\[.*$/s, "")));
  return mark === undefined ? "a call failed" : markWords(mark);
}

/** As JavaScript has it; a number that it cannot have exactly is a `bigint`, or a problem. */
export function plainJs(json: Json): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  const go = (part: Json): unknown => {
    if (typeof part !== "object" || part === null) return part;
    if (JsonNumber.is(part)) return jsOfNum(part.value) ?? part.value;
    if (isJsonArray(part)) return part.map(go);
    const object: Record<string, unknown> = {};
    for (const name of Object.keys(part)) define(object, name, go(part[name] ?? null));
    return object;
  };
  return isReceivable(json) ? { ok: true, value: go(json) } : { ok: false };
}

/** Also for a name such as `__proto__`. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** What a tool gave, if it is data that a trace can keep. */
export function keptOutput(given: unknown): Json | undefined {
  if (given === undefined) return null;
  const read = decodeValue(given);
  return read.ok ? toJson(read.value) : undefined;
}
