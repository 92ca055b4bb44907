/** Configurations of MCP hosts as data: JSON, JSON with comments as editors write it, and TOML. */
import type { Json } from "./json.ts";

export type HostText =
  | {
      readonly ok: true;
      readonly json: Json;
      /** True for plain JSON, which can be written again without losing a comment. */
      readonly isPlain: boolean;
    }
  | { readonly ok: false; readonly why: string };

/** Reads a configuration by the end of its name. */
export async function readHostText(file: string, text: string): Promise<HostText> {
  const bare = text.replace(/^\uFEFF/, "");
  if (!file.endsWith(".toml")) return readJson(bare);
  const { readToml } = await import("./toml.ts");
  const read = readToml(bare);
  return read.ok ? { ...read, isPlain: false } : read;
}

function readJson(text: string): HostText {
  const plain = parsed(text);
  if (plain !== undefined) return { ok: true, json: plain, isPlain: true };
  const bare = parsed(withoutComments(text));
  return bare === undefined ? { ok: false, why: "is not JSON" } : { ok: true, json: bare, isPlain: false };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Blanks out comments, and commas before a closing bracket. Texts stay as they are. */
function withoutComments(text: string): string {
  const tokens = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  const bare = text.replace(tokens, (token) => (token.startsWith('"') ? token : " "));
  return bare.replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (token) => (token === "," ? "" : token));
}
