/**
 * JSON texts, in pieces: the longest string that JavaScript can hold is shorter than what some documents and
 * traces need. Together the pieces are what `JSON.stringify(value, null, 2)` would give, or `JSON.stringify(value)`.
 */
import type { PlainJson } from "../../ir/index.ts";

const pieceLength = 1 << 16;

interface Level {
  readonly entries: Iterator<readonly [key: string | undefined, value: PlainJson]>;
  readonly close: "]" | "}";
  isEmpty: boolean;
}

/** With a line end after it; on one line, or laid out. */
export function* jsonPieces(
  value: PlainJson,
  layout: "laid out" | "one line" = "laid out",
): Generator<string> {
  const isLaidOut = layout === "laid out";
  const newLine = (depth: number) => (isLaidOut ? `\n${"  ".repeat(depth)}` : "");
  const levels: Level[] = [];
  let piece = "";
  const put = (next: PlainJson): void => {
    if (typeof next !== "object" || next === null) {
      piece += JSON.stringify(next);
      return;
    }
    const isArray = isList(next);
    piece += isArray ? "[" : "{";
    const entries = isArray ? itemsOf(next) : fieldsOf(next);
    levels.push({ entries, close: isArray ? "]" : "}", isEmpty: true });
  };
  put(value);
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { value: entry, done } = level.entries.next();
    if (done) {
      levels.pop();
      piece += level.isEmpty ? level.close : `${newLine(levels.length)}${level.close}`;
    } else {
      const [key, inner] = entry;
      piece += `${level.isEmpty ? "" : ","}${newLine(levels.length)}`;
      level.isEmpty = false;
      if (key !== undefined) piece += `${JSON.stringify(key)}:${isLaidOut ? " " : ""}`;
      put(inner);
    }
    if (piece.length >= pieceLength) {
      yield piece;
      piece = "";
    }
  }
  yield `${piece}\n`;
}

function isList(value: PlainJson): value is readonly PlainJson[] {
  return Array.isArray(value);
}

function* itemsOf(items: readonly PlainJson[]): Generator<readonly [undefined, PlainJson]> {
  for (const item of items) yield [undefined, item];
}

function* fieldsOf(fields: { readonly [key: string]: PlainJson }): Generator<readonly [string, PlainJson]> {
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (value !== undefined) yield [key, value];
  }
}
