/**
 * Definitions of tools, as a server lists them. A list comes from somebody else: everything in it is untrusted, and all of
 * it is bounded.
 */
import { type Failure, plainFailure } from "../../app/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
  readonly outputSchema?: Json;
  readonly annotations: JsonObject;
  /** The whole definition, for its digest. */
  readonly whole: JsonObject;
}

/** LIMIT: the largest list that was met has 128 kB and 32 tools. */
export const mostListBytes = 16 * 1024 * 1024;
const mostTools = 1_000;
const mostNameLength = 128;
const mostDepth = 200;

/** Reads a saved answer to `tools/list`: the answer itself, its `result`, or the bare list of tools. */
export function readToolsList(file: string, text: string): Result<readonly ToolDefinition[], Failure> {
  let parsed: Json;
  try {
    parsed = JSON.parse(text);
  } catch {
    return wrong(file, "it is not JSON");
  }
  return toolsIn(file, parsed);
}

/** Reads the tools of a list that was parsed already. */
export function toolsIn(from: string, parsed: Json): Result<readonly ToolDefinition[], Failure> {
  if (isTooDeep(parsed, mostDepth)) return wrong(from, `it is nested deeper than ${mostDepth}`);
  const list = listIn(parsed);
  if (list === undefined) return wrong(from, "it has no list of tools");
  if (list.length > mostTools) return wrong(from, `it has more than ${mostTools} tools`);
  const found: ToolDefinition[] = [];
  const names = new Set<string>();
  for (const [i, one] of list.entries()) {
    const definition = definitionIn(one);
    if (typeof definition === "string") return wrong(from, `tool ${i + 1}: ${definition}`);
    if (names.has(definition.name)) return wrong(from, `two tools have the name \`${definition.name}\``);
    names.add(definition.name);
    found.push(definition);
  }
  return ok(found);
}

function wrong(file: string, why: string) {
  const help = 'save the answer of the server to `tools/list`: {"tools": [{"name": …, "inputSchema": …}]}';
  return plainFailure("FC9141", `\`${file}\` is no list of tools: ${why}`, help);
}

function listIn(parsed: Json): readonly Json[] | undefined {
  if (Array.isArray(parsed)) return parsed;
  if (!isObject(parsed)) return undefined;
  const inner = parsed.tools ?? (isObject(parsed.result) ? parsed.result.tools : undefined);
  return Array.isArray(inner) ? inner : undefined;
}

function definitionIn(json: Json): ToolDefinition | string {
  if (!isObject(json)) return "it is not an object";
  const { name, description, inputSchema, outputSchema, annotations } = json;
  if (typeof name !== "string" || name === "") return "it has no name";
  if (name.length > mostNameLength) return `its name is longer than ${mostNameLength}`;
  if (!isObject(inputSchema)) return `\`${name}\` has no \`inputSchema\``;
  return {
    name,
    description: typeof description === "string" ? description : "",
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    annotations: isObject(annotations) ? annotations : {},
    whole: json,
  };
}

function isTooDeep(json: Json, left: number): boolean {
  if (typeof json !== "object" || json === null) return false;
  if (left === 0) return true;
  return Object.values(json).some((one: Json) => isTooDeep(one, left - 1));
}
