/**
 * Reads JSON (RFC 8259, nothing more). `JSON.parse` would lose keys given twice, exact numbers and positions.
 * Takes time linear in the text, stops at the first problem, never throws.
 * Part of what must be trusted.
 */
import { failed, ok, type Result, type Span } from "../diagnostic.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { type Locator, locator, type SpanTable } from "../spans.ts";
import { type Json, JsonNumber, type JsonObject } from "./json.ts";
import { quoted } from "./quoted.ts";
import { Scanner } from "./scanner.ts";

export { isJsonArray, isJsonObject, type Json, JsonNumber, type JsonObject } from "./json.ts";

export interface JsonText {
  readonly value: Json;
  readonly locate: Locator;
}

export function readJson(text: string, limits: Limits = defaultLimits): Result<JsonText> {
  const scanner = new Scanner(text, limits);
  const value = new Reader(scanner, limits).document(text.length);
  if (value === undefined) return failed(scanner.problems);
  return ok({ value, locate: locator(() => spansOf(text, limits)) });
}

/** The same data again, with the span of every object and array, and in their parts those of the scalars in them. */
function spansOf(text: string, limits: Limits): { readonly root: unknown; readonly spans: SpanTable } {
  const spans: SpanTable = new Map();
  return { root: new Reader(new Scanner(text, limits), limits, spans).document(text.length), spans };
}

class Reader {
  private readonly spans: SpanTable | undefined;
  private readonly scanner: Scanner;
  private readonly limits: Limits;
  private nodes = 0;

  constructor(scanner: Scanner, limits: Limits, spans?: SpanTable) {
    this.scanner = scanner;
    this.limits = limits;
    this.spans = spans;
  }

  document(length: number): Json | undefined {
    const { scanner, limits } = this;
    if (length > limits.textLength) {
      const message = `the text is ${length} characters long, more than ${limits.textLength}`;
      return scanner.fail("FC1401", message, { start: 0, end: 0 });
    }
    scanner.skipSpace();
    const value = this.value();
    if (value === undefined) return undefined;
    scanner.skipSpace();
    return scanner.char === undefined ? value : scanner.misfit("nothing more");
  }

  private value(): Json | undefined {
    const { scanner, limits } = this;
    if (++this.nodes > limits.nodes) {
      return scanner.fail("FC1403", `the text has more than ${limits.nodes} values`, this.here());
    }
    switch (scanner.char) {
      case "{":
        return this.open() ? this.object() : undefined;
      case "[":
        return this.open() ? this.array() : undefined;
      case '"':
        return scanner.string();
      case "t":
        return scanner.word("true", true);
      case "f":
        return scanner.word("false", false);
      case "n":
        return scanner.word("null", null);
      default:
        return scanner.number();
    }
  }

  private object(): JsonObject | undefined {
    const { scanner } = this;
    const start = scanner.at++;
    const object: Record<string, Json> = Object.create(null);
    const parts = this.spans && new Map<string, Span>();
    const keys = this.spans && new Map<string, Span>();
    scanner.skipSpace();
    for (let more = !scanner.take("}"); more; ) {
      const key = this.key(object, keys);
      if (key === undefined) return undefined;
      scanner.path.push(key);
      const value = this.member(key, parts);
      scanner.path.pop();
      if (value === undefined) return undefined;
      object[key] = value;
      const next = this.next("}");
      if (next === undefined) return undefined;
      more = next;
    }
    if (parts && keys) this.spans?.set(object, { self: scanner.since(start), parts, keys });
    return object;
  }

  private array(): readonly Json[] | undefined {
    const { scanner, limits } = this;
    const start = scanner.at++;
    const items: Json[] = [];
    const parts = this.spans && new Map<number, Span>();
    scanner.skipSpace();
    for (let more = !scanner.take("]"); more; ) {
      if (items.length >= limits.listLength) {
        const message = `a list has more than ${limits.listLength} items`;
        return scanner.fail("FC1405", message, { start, end: start + 1 });
      }
      scanner.path.push(items.length);
      const value = this.member(items.length, parts);
      scanner.path.pop();
      if (value === undefined) return undefined;
      items.push(value);
      const next = this.next("]");
      if (next === undefined) return undefined;
      more = next;
    }
    if (parts) this.spans?.set(items, { self: scanner.since(start), parts });
    return items;
  }

  /** Opens an object or array, if the depth limit allows it. */
  private open(): boolean {
    const { scanner, limits } = this;
    if (scanner.path.length < limits.depth) return true;
    scanner.fail("FC1402", `values are nested more than ${limits.depth} deep`, this.here());
    return false;
  }

  /** A key and its colon. */
  private key(
    object: Readonly<Record<string, Json>>,
    keys: Map<string, Span> | undefined,
  ): string | undefined {
    const { scanner } = this;
    const start = scanner.at;
    if (scanner.char !== '"') return scanner.misfit("a key");
    const key = scanner.string();
    if (key === undefined) return undefined;
    if (Object.hasOwn(object, key)) {
      scanner.path.push(key);
      return scanner.fail("FC1106", `key ${quoted(key)} is given twice`, scanner.since(start));
    }
    keys?.set(key, scanner.since(start));
    scanner.skipSpace();
    return scanner.take(":") ? key : scanner.misfit("`:`");
  }

  private member<K extends string | number>(key: K, parts: Map<K, Span> | undefined): Json | undefined {
    const { scanner } = this;
    scanner.skipSpace();
    const start = scanner.at;
    const value = this.value();
    if (parts === undefined) return value;
    // Objects and arrays have spans of their own.
    const isScalar = typeof value !== "object" || value === null || JsonNumber.is(value);
    if (value !== undefined && isScalar) parts.set(key, scanner.since(start));
    return value;
  }

  /** After a member: whether another one follows. */
  private next(close: "]" | "}"): boolean | undefined {
    const { scanner } = this;
    scanner.skipSpace();
    if (scanner.take(close)) return false;
    const comma = this.here();
    if (!scanner.take(",")) return scanner.misfit(`\`,\` or \`${close}\``);
    scanner.skipSpace();
    if (scanner.char !== close) return true;
    return scanner.fail("FC1101", `trailing comma before \`${close}\``, comma, "remove the last comma");
  }

  private here(): Span {
    return { start: this.scanner.at, end: this.scanner.at + 1 };
  }
}
