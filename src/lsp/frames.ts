/** Frames of the language server protocol: headers, an empty line, and a JSON text of the length that they name. */

/** LIMIT: of a frame. A document may have 4 MiB, and JSON writes a character in up to six bytes. */
export const mostFrameBytes = 32 * 1024 * 1024;
/** LIMIT: of the headers of a frame. */
const mostHeaderBytes = 4096;

export type Frame =
  | { readonly kind: "text"; readonly text: string }
  /** Bytes that are no frame; reading continues with the next header. */
  | { readonly kind: "broken"; readonly why: string };

const headerLine = /^([A-Za-z-]{1,40}): *([^\r\n]*?) *$/;
const headerEnd = Buffer.from("\r\n\r\n");
const lengthName = Buffer.from("content-length:");

/** Takes bytes as they come and returns frames as they are complete. Holds at most one frame. */
export class FrameReader {
  #header: Buffer = Buffer.alloc(0);
  /** Set while a body is read: its length, and the parts of it. */
  #body: { readonly length: number; readonly parts: Buffer[]; has: number } | undefined;
  /** Bytes of a body that is too long, still to be passed over. */
  #skip = 0;
  /** True after a broken header, until the next one. */
  #isLost = false;

  push(chunk: Uint8Array): readonly Frame[] {
    const frames: Frame[] = [];
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    while (rest.length > 0) {
      const taken = this.#take(rest, frames);
      rest = rest.subarray(taken);
    }
    return frames;
  }

  /** Returns how many bytes it took. */
  #take(bytes: Buffer, frames: Frame[]): number {
    if (this.#skip > 0) {
      const taken = Math.min(this.#skip, bytes.length);
      this.#skip -= taken;
      return taken;
    }
    const body = this.#body;
    if (body === undefined) return this.#takeHeader(bytes, frames);
    const taken = Math.min(body.length - body.has, bytes.length);
    body.parts.push(Buffer.from(bytes.subarray(0, taken)));
    body.has += taken;
    if (body.has === body.length) this.#endBody(body.parts, frames);
    return taken;
  }

  #endBody(parts: readonly Buffer[], frames: Frame[]): void {
    this.#body = undefined;
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
      frames.push({ kind: "text", text });
    } catch {
      frames.push({ kind: "broken", why: "the message is not UTF-8" });
    }
  }

  /** Takes all bytes up to the end of the headers. */
  #takeHeader(bytes: Buffer, frames: Frame[]): number {
    const before = this.#header.length;
    const all = before === 0 ? bytes : Buffer.concat([this.#header, bytes]);
    const start = this.#isLost ? nextHeader(all) : 0;
    const end = start < 0 ? -1 : all.indexOf(headerEnd, start);
    if (end < 0) {
      this.#header = this.#kept(all, start, frames);
      return bytes.length;
    }
    this.#header = Buffer.alloc(0);
    const taken = end + headerEnd.length - before;
    const length = lengthIn(all.toString("latin1", start, end));
    if (length === undefined || end - start > mostHeaderBytes) {
      if (!this.#isLost) frames.push({ kind: "broken", why: "the headers name no length" });
      this.#isLost = true;
      // Where junk ends in a header, that is the next frame's.
      const isJunk = all
        .toString("latin1", start, end)
        .split("\r\n")
        .some((line) => !headerLine.test(line));
      const next = nextHeader(all.subarray(start + 1));
      if (isJunk && next >= 0 && start + 1 + next < end) {
        this.#header = Buffer.from(all.subarray(start + 1 + next, end + headerEnd.length));
        return this.#again(taken, frames);
      }
      return taken;
    }
    this.#isLost = false;
    if (length > mostFrameBytes) {
      frames.push({ kind: "broken", why: `the message is longer than ${mostFrameBytes} bytes` });
      this.#skip = length;
    } else if (length === 0) frames.push({ kind: "broken", why: "the message is empty" });
    else this.#body = { length, parts: [], has: 0 };
    return taken;
  }

  /** Reads the held bytes, which are whole headers, again. */
  #again(taken: number, frames: Frame[]): number {
    const held = this.#header;
    this.#header = Buffer.alloc(0);
    this.#takeHeader(held, frames);
    return taken;
  }

  /** Returns the bytes to hold until more come. */
  #kept(all: Buffer, start: number, frames: Frame[]): Buffer {
    if (start < 0) return Buffer.from(all.subarray(Math.max(0, all.length - lengthName.length)));
    const rest = all.subarray(start);
    if (rest.length <= mostHeaderBytes) return Buffer.from(rest);
    if (!this.#isLost) frames.push({ kind: "broken", why: "the headers do not end" });
    this.#isLost = true;
    return Buffer.alloc(0);
  }
}

function nextHeader(bytes: Buffer): number {
  return bytes.toString("latin1").toLowerCase().indexOf("content-length:");
}

/** Returns the length that headers name; undefined if they are not headers, or name none or two. */
function lengthIn(headers: string): number | undefined {
  let length: number | undefined;
  for (const line of headers.split("\r\n")) {
    const [, name = "", value = ""] = headerLine.exec(line) ?? [];
    if (name === "") return undefined;
    if (name.toLowerCase() !== "content-length") continue;
    if (length !== undefined || !/^\d{1,15}$/.test(value)) return undefined;
    length = Number(value);
  }
  return length;
}

/** Returns a message as a frame. */
export function frameOf(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message), "utf8");
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, "latin1"), body]);
}
