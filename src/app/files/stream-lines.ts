/** Lines of a text that comes in chunks, however long it is. */

/** LIMIT: bytes of one line; what is longer is told of and passed over. */
export const longestLine = 20 * 1024 * 1024;

export type Line =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unreadable"; readonly why: string };

const lineEnd = 10;

export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (part: Uint8Array) => {
    length += part.length;
    if (length <= longestLine) parts.push(part);
    else parts = [];
  };
  const line = (): Line => {
    const whole = length > longestLine ? undefined : Buffer.concat(parts, length);
    parts = [];
    length = 0;
    return whole === undefined
      ? { kind: "unreadable", why: `the line is longer than ${longestLine / 1024 / 1024} MiB` }
      : lineOf(whole);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, start)) {
      take(chunk.subarray(start, end));
      yield line();
      start = end + 1;
    }
    if (start < chunk.length) take(chunk.subarray(start));
  }
  if (length > 0) yield line();
}

function lineOf(bytes: Uint8Array): Line {
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: "unreadable", why: "the line is not UTF-8" };
  }
}
