/** The answer of a server to a call, as the module that was made for it declares it. */
import { isObject, type Json, type JsonObject } from "./json.ts";
import { projected, resultShape } from "./result-shape.ts";

/** An answer as it came. */
export interface ToolAnswer {
  readonly content: readonly { readonly type: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** Returns the text as it stands; anything else by what it is and where, never by its bytes. */
export function textIn({ content }: Pick<ToolAnswer, "content">): string {
  return content
    .map((block) => {
      const { type, text, mimeType, uri, resource }: Record<string, unknown> = { ...block };
      if (type === "text" && typeof text === "string") return text;
      const about: JsonObject = isObject(resource) ? resource : {};
      if (type === "resource" && typeof about.text === "string") return about.text;
      const where = uri ?? about.uri;
      return `[${[type, mimeType, where].filter((one) => typeof one === "string").join(" ")}]`;
    })
    .join("\n");
}

/** Returns the structured result, projected to what its schema names. Throws if there is none. */
export function structuredIn(tool: string, answer: ToolAnswer, schema: Json | undefined): Json {
  if (answer.structuredContent === undefined || schema === undefined)
    throw new Error(`\`${tool}\` has answered without a structured result`);
  // SAFETY: it came out of JSON.
  return projected(answer.structuredContent as Json, resultShape(schema));
}

/** LIMIT: of the words of a server about a call that failed. */
const mostWords = 2_000;

/** Throws what a server says of a call that failed. */
export function refuseError(answer: ToolAnswer): void {
  if (answer.isError === true) throw new Error(textIn(answer).slice(0, mostWords));
}
