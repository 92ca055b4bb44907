/**
 * Rules on what texts say. They look at every string below a key, names of fields included, after bringing it to one
 * form, so that marks, width, case and characters that cannot be seen make no difference. Part of what must be trusted.
 */
import { isList, isNum, isRecord, type Value } from "../../ir/index.ts";
import type { Data } from "../core/effects.ts";
import { refuse } from "../problem.ts";
import { why } from "../reasons.ts";
import { isAscii } from "../tables.ts";
import { get } from "../trie.ts";
import { numberText } from "../values/canonical.ts";
import { piiIn } from "./pii.ts";
import { at, each, type ReadRule } from "./rule.ts";

export const forbiddenText: ReadRule = (fields, missing) => {
  const texts = fields.names("texts").map((text): readonly [string, string] => [text, normalized(text)]);
  const keys = fields.names("keys");
  return {
    objection: () => {
      const empty = texts.find(([, form]) => form === "");
      if (empty !== undefined) refuse("nothing but marks", { text: empty[0] });
    },
    restsOnTables: restsOnTables(
      keys,
      texts.map(([text]) => text),
    ),
    state: each(
      keys.map((key) =>
        at(key, missing, (value) => {
          const found = textsIn(value).map(normalized);
          const hit = texts.find(([, form]) => found.some((text) => text.includes(form)));
          return hit === undefined ? undefined : why("has the text", { key, text: hit[0] });
        }),
      ),
    ),
  };
};

export const noPii: ReadRule = (fields, missing) => {
  const keys = fields.names("keys");
  return {
    restsOnTables: restsOnTables(keys, []),
    state: each(
      keys.map((key) =>
        at(key, missing, (value) => {
          for (const text of textsIn(value)) {
            const kind = piiIn(text.normalize("NFKC").replace(invisible, ""));
            if (kind !== undefined) return why("has personal data", { key, kind });
          }
          return undefined;
        }),
      ),
    ),
  };
};

/** Every table agrees on ASCII. */
function restsOnTables(keys: readonly string[], given: readonly string[]) {
  const isGiven = !given.every(isAscii);
  const isBeyond = (data: Data) =>
    keys.some((key) => {
      const value = get(data, key);
      return value !== undefined && !textsIn(value).every(isAscii);
    });
  return (after: Data, before: Data) => isGiven || isBeyond(after) || isBeyond(before);
}

const invisible = /[\p{Cf}\p{Mn}\p{Me}]/gu;

/** Letters without marks, in one case, with single spaces, and nothing that cannot be seen. */
export function normalized(text: string): string {
  // Twice, because lower case and decomposition can each make something for the other to do.
  const once = (one: string) => one.normalize("NFKD").replace(invisible, "").toLowerCase();
  return once(once(text)).replace(/\s+/gu, " ").trim();
}

function textsIn(value: Value): string[] {
  if (typeof value === "string") return [value];
  if (isNum(value)) return [numberText(value)];
  if (isList(value)) return value.flatMap(textsIn);
  if (!isRecord(value)) return [];
  return Object.entries(value.fields).flatMap(([name, field]) => [name, ...textsIn(field)]);
}
