/** The state in the address: its fragment never leaves the browser. */
import { limits, type TextFile } from "../messages.ts";

export interface Project {
  /** The program; the other files are tool modules, or what these import. */
  readonly entry: string;
  readonly files: readonly TextFile[];
}

export type Shared =
  | { readonly kind: "example"; readonly id: string }
  | { readonly kind: "project"; readonly project: Project }
  | { readonly kind: "none" }
  /** A fragment that cannot be read. */
  | { readonly kind: "damaged" };

/** LIMIT: of a fragment, in characters. Programs compress to a fifth or less. */
const longestFragment = 200_000;
/** LIMIT: of what a fragment unpacks to, in bytes, with room for escapes. */
const mostBytes = 4 * limits.textLength;

export function exampleFragment(id: string): string {
  return `#example=${encodeURIComponent(id)}`;
}

export async function projectFragment({ entry, files }: Project): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify({ entry, files }));
  const packed = await bytesThrough(json, new CompressionStream("deflate-raw"), Number.POSITIVE_INFINITY);
  return `#code=${toBase64Url(packed)}`;
}

export async function readFragment(fragment: string): Promise<Shared> {
  if (fragment === "" || fragment === "#") return { kind: "none" };
  const example = /^#example=([\w%-]{1,80})$/.exec(fragment)?.[1];
  if (example !== undefined) return { kind: "example", id: decoded(example) };
  const code = /^#code=([\w-]+)$/.exec(fragment)?.[1];
  if (code === undefined || code.length > longestFragment) return { kind: "damaged" };
  try {
    const json = await bytesThrough(fromBase64Url(code), new DecompressionStream("deflate-raw"), mostBytes);
    const project = projectOf(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json)));
    return project === undefined ? { kind: "damaged" } : { kind: "project", project };
  } catch {
    return { kind: "damaged" };
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Anybody can write an address, so nothing in it is taken for granted. */
export function projectOf(value: unknown): Project | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const entry: unknown = Reflect.get(value, "entry");
  const list: unknown = Reflect.get(value, "files");
  if (typeof entry !== "string" || !Array.isArray(list) || list.length > limits.files) return undefined;
  const files = list.filter(isFile);
  if (files.length < list.length || !files.some(([path]) => path === entry)) return undefined;
  if (new Set(files.map(([path]) => path)).size < files.length) return undefined;
  const length = files.reduce((sum, [path, text]) => sum + path.length + text.length, 0);
  return length > limits.textLength ? undefined : { entry, files };
}

function isFile(value: unknown): value is TextFile {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === "string" &&
    value[0].length <= limits.pathLength &&
    typeof value[1] === "string"
  );
}

async function bytesThrough(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError("too long");
    }
    parts.push(read.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function toBase64Url(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x2000)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x2000)));
  return btoa(parts.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
