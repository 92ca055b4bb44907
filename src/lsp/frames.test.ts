import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../tests/support/runs.ts";
import { FrameReader, frameOf, mostFrameBytes } from "./frames.ts";

function read(...chunks: (string | Buffer)[]) {
  const reader = new FrameReader();
  return chunks.flatMap((chunk) => reader.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk));
}

const text = (message: unknown) => ({ kind: "text", text: JSON.stringify(message) });
const broken = (why: string) => ({ kind: "broken", why });
const good = frameOf({ id: 1 });

describe("frames", () => {
  it("are the same however their bytes are cut", () => {
    const messages = fc.array(fc.jsonValue(), { maxLength: 5 });
    const cuts = fc.array(fc.nat(400), { maxLength: 20 });
    fc.assert(
      fc.property(messages, cuts, (given, at) => {
        const bytes = Buffer.concat(given.map(frameOf));
        const places = [0, ...at.map((one) => Math.min(one, bytes.length)), bytes.length].sort(
          (a, b) => a - b,
        );
        const chunks = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
        expect(read(...chunks)).toEqual(given.map(text));
      }),
      { numRuns: runs(200) },
    );
  });

  it.each([
    ["headers without a length", "Content-Type: x\r\n\r\n", broken("the headers name no length")],
    ["a length that is no number", "Content-Length: ten\r\n\r\n", broken("the headers name no length")],
    ["a length below zero", "Content-Length: -1\r\n\r\n", broken("the headers name no length")],
    ["two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n", broken("the headers name no length")],
    ["an empty message", "Content-Length: 0\r\n\r\n", broken("the message is empty")],
    ["words that are no header", "hello there\r\n\r\n", broken("the headers name no length")],
    [
      "bytes that are not UTF-8",
      Buffer.from("Content-Length: 2\r\n\r\n\xff\xfe", "latin1"),
      broken("the message is not UTF-8"),
    ],
    ["endless headers", "x".repeat(5000), broken("the headers do not end")],
  ])("that are broken are reported once, and the next one is read: %s", (_, bad, problem) => {
    expect(read(bad, good, good)).toEqual([problem, text({ id: 1 }), text({ id: 1 })]);
    // Also if all of it comes at once.
    const both = Buffer.concat([Buffer.from(bad), good]);
    expect(read(both).at(-1)).toEqual(text({ id: 1 }));
  });

  it("that are too long are passed over without being held", () => {
    const reader = new FrameReader();
    const header = Buffer.from(`Content-Length: ${mostFrameBytes + 1}\r\n\r\n`);
    expect(reader.push(header)).toEqual([broken(`the message is longer than ${mostFrameBytes} bytes`)]);
    const chunk = Buffer.alloc(1 << 20);
    for (let left = mostFrameBytes + 1; left > 0; left -= chunk.length)
      expect(reader.push(chunk.subarray(0, Math.min(left, chunk.length)))).toEqual([]);
    expect(reader.push(good)).toEqual([text({ id: 1 })]);
  });

  it("may be as long as the limit", () => {
    const body = Buffer.from(JSON.stringify("x".repeat(mostFrameBytes - 2)));
    expect(body.length).toBe(mostFrameBytes);
    const [frame] = read(`Content-Length: ${body.length}\r\n\r\n`, body);
    expect(frame?.kind).toBe("text");
  });

  it("never throw on any bytes", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 8 }), (chunks) => {
        read(...chunks.map((chunk) => Buffer.from(chunk)));
      }),
      { numRuns: runs(200) },
    );
  });
});
