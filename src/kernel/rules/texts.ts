/**
 * Rules on what texts say. They look at every string below a key, names of fields included, after bringing it to one
 * form, so that marks, width, case and characters that cannot be seen make no difference. Part of what must be trusted.
 */
import { quoted } from "../../ir/json/quoted.ts";
import { isList, isNum, isRecord, type Value } from "../../ir/value.ts";
import { refuse } from "../problem.ts";
import { numberText } from "../values/canonical.ts";
import { piiIn } from "./pii.ts";
import { at, each, type ReadRule } from "./rule.ts";

export const forbiddenText: ReadRule = (fields, missing) => {
  const texts = fields.names("texts").map((text): readonly [string, string] => [text, normalised(text)]);
  const empty = texts.find(([, form]) => form === "");
  if (empty !== undefined) refuse("shape", `the text ${quoted(empty[0])} is nothing but marks and spaces`);
  return {
    state: each(
      fields.names("keys").map((key) =>
        at(key, missing, (value) => {
          const found = textsIn(value).map(normalised);
          const hit = texts.find(([, form]) => found.some((text) => text.includes(form)));
          return hit === undefined ? undefined : `${quoted(key)} has the text ${quoted(hit[0])}`;
        }),
      ),
    ),
  };
};

export const noPii: ReadRule = (fields, missing) => ({
  state: each(
    fields.names("keys").map((key) =>
      at(key, missing, (value) => {
        for (const text of textsIn(value)) {
          const kind = piiIn(text.normalize("NFKC").replace(invisible, ""));
          if (kind !== undefined) return `${quoted(key)} looks like it has ${kind}`;
        }
        return undefined;
      }),
    ),
  ),
});

const invisible = /[\p{Cf}\p{Mn}\p{Me}]/gu;

/** Letters without marks, in one case, with single spaces, and nothing that cannot be seen. */
export function normalised(text: string): string {
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
