/**
 * `foreclaim/std/llm`: a quarantined model that takes typed values out of texts. It can call nothing; the run verifies its answer
 * against the tool's declared type, and to a proof the answer is as untrusted as the text. Texts and calls have limits.
 */

import { type AiSdkModel, extractor, type JsonModel } from "../tools.ts";
import { client } from "./http.ts";
import { refused } from "./refused.ts";

export { type AiSdkModel, type JsonModel, recordedModel } from "../tools.ts";
export { Refused } from "./refused.ts";

export interface ReaderOptions {
  readonly model: JsonModel | AiSdkModel;
  /** Texts that are read in all (default 100). */
  readonly maxCalls?: number;
  /** Characters of one text (default 50,000). */
  readonly maxCharacters?: number;
}

type Extract = ReturnType<typeof extractor>;

/** Makes the function that a tool's `run` calls, with limits. */
export function reader({ model, maxCalls = 100, maxCharacters = 50_000 }: ReaderOptions): Extract {
  const extract = extractor(model);
  let calls = 0;
  return async <T>(request: Parameters<Extract>[0], call: Parameters<Extract>[1]): Promise<T> => {
    if (request.text.length > maxCharacters)
      return refused("too-large", `a text has at most ${maxCharacters} characters`);
    if (calls >= maxCalls) return refused("too-many", `more than ${maxCalls} texts would be read`);
    calls += 1;
    return extract<T>(request, call);
  };
}

export interface ChatModelOptions {
  /** The address of a service that speaks the chat completions protocol, as `https://api.example.com/v1/chat/completions`. */
  readonly url: string;
  readonly model: string;
  readonly key?: string;
  /** Milliseconds for an answer (default 60,000). */
  readonly timeoutMs?: number;
  /** Bytes of an answer (default 1 MiB). */
  readonly maxBytes?: number;
  /** True for a server of one's own: `http:` and private addresses. */
  readonly own?: boolean;
}

/** A model behind the chat completions protocol, asked without tools and for JSON of the wanted type. */
export function chatModel(options: ChatModelOptions): JsonModel {
  const { url, model, key, timeoutMs = 60_000, maxBytes = 1024 * 1024, own = false } = options;
  const { host } = new URL(url);
  const web = client({
    hosts: own ? [] : [host],
    privateHosts: own ? [host] : [],
    methods: ["POST"],
    maxBytes,
    maxBodyBytes: 4 * 1024 * 1024,
    timeoutMs,
    maxRedirects: 0,
  });
  return {
    generateJson: async ({ system, prompt, schema, signal }) => {
      signal.throwIfAborted();
      const body = JSON.stringify({
        model,
        messages: [
          { role: "system", content: system },
          { role: "user", content: prompt },
        ],
        // Services take an object at the top, so the value is one field of it.
        response_format: {
          type: "json_schema",
          json_schema: {
            name: "answer",
            schema: {
              type: "object",
              properties: { value: schema },
              required: ["value"],
              additionalProperties: false,
            },
          },
        },
      });
      const { status, body: answer } = await web.request({
        url,
        method: "POST",
        body,
        headers: [
          { name: "content-type", value: "application/json" },
          ...(key === undefined ? [] : [{ name: "authorization", value: `Bearer ${key}` }]),
        ],
      });
      if (status !== 200) return refused("failed", `the model's service answered with ${status}`);
      return valueIn(answer);
    },
  };
}

/** Says nothing of the text: it may be anyone's. */
function valueIn(answer: string): unknown {
  const content = at(at(at(at(parsed(answer), "choices"), "0"), "message"), "content");
  if (typeof content !== "string") return refused("no-answer", "the model has not answered with a text");
  const found = parsed(content);
  if (typeof found !== "object" || found === null || !Object.hasOwn(found, "value"))
    return refused("no-answer", "the model has not answered with a value");
  return Reflect.get(found, "value");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refused("no-answer", "the model has not answered with JSON");
  }
}

function at(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
