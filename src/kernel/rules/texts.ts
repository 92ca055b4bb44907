/**
 * Rules on what texts say. They look at every string below a key, names of fields included, after bringing it to one
 * form, so that marks, width, case and characters that cannot be seen make no difference. Part of what must be trusted.
 */
import { isList, isNum, isRecord, type Value } from "../../ir/index.ts";
import type { Data } from "../core/effects.ts";
import { isSince } from "../core/form.ts";
import { refuse } from "../problem.ts";
import { type PiiKind, why } from "../reasons.ts";
import { isAscii } from "../tables.ts";
import { get } from "../trie.ts";
import { numberText } from "../values/canonical.ts";
import { hiddenPiiIn, piiIn } from "./pii.ts";
import { at, each, type ReadRule } from "./rule.ts";
import { foldedText, isSpreadIn, skeletonText, spacedText } from "./text-forms.ts";

export const forbiddenText: ReadRule = (fields, missing) => {
  const texts = fields.names("texts").map((text): readonly [string, string] => [text, normalized(text)]);
  const wanted = texts.map(([text]) => formsOf(text));
  const keys = fields.names("keys");
  return {
    ownTables: true,
    objection: () => {
      const empty = texts.find(([text]) => foldedText(text) === "");
      if (empty !== undefined) refuse("nothing but marks", { text: empty[0] });
    },
    restsOnTables: restsOnTables(
      keys,
      texts.map(([text]) => text),
    ),
    state: each(
      keys.map((key) =>
        at(key, missing, (value) => {
          const hit = isSince(4) ? hiddenIn(textsIn(value), wanted) : plainIn(textsIn(value), texts);
          return hit === undefined ? undefined : why("has the text", { key, text: hit });
        }),
      ),
    ),
  };
};

export const noPii: ReadRule = (fields, missing) => {
  const keys = fields.names("keys");
  return {
    ownTables: true,
    restsOnTables: restsOnTables(keys, []),
    state: each(
      keys.map((key) =>
        at(key, missing, (value) => {
          for (const text of textsIn(value)) {
            const kind = isSince(4) ? piiInLines(text) : piiIn(text.normalize("NFKC").replace(invisible, ""));
            if (kind !== undefined) return why("has personal data", { key, kind });
          }
          return undefined;
        }),
      ),
    ),
  };
};

/** A forbidden text in the forms that it is looked for in. */
interface Wanted {
  readonly text: string;
  readonly folded: string;
  readonly skeleton: string;
  /** Empty if it has neither letters nor digits: then it is looked for as it is. */
  readonly spaced: string;
  readonly spacedSkeleton: string;
}

function formsOf(text: string): Wanted {
  const [folded, skeleton] = [foldedText(text), skeletonText(text)];
  return { text, folded, skeleton, spaced: spacedText(folded), spacedSkeleton: spacedText(skeleton) };
}

/** The first forbidden text that is there under marks, look-alike letters, dashes or blanks. */
function hiddenIn(texts: readonly string[], wanted: readonly Wanted[]): string | undefined {
  const found = texts.map(formsOf);
  return wanted.find((one) => found.some((text) => isHidden(text, one)))?.text;
}

function isHidden(found: Wanted, wanted: Wanted): boolean {
  if (wanted.folded === "") return false;
  if (found.folded.includes(wanted.folded) || found.skeleton.includes(wanted.skeleton)) return true;
  if (wanted.spaced === "") return false;
  return (
    found.spaced.includes(wanted.spaced) ||
    found.spacedSkeleton.includes(wanted.spacedSkeleton) ||
    isSpreadIn(found.folded, wanted.folded) ||
    isSpreadIn(found.skeleton, wanted.skeleton)
  );
}

/** As until the third form, by the tables of Node. */
function plainIn(
  found: readonly string[],
  texts: readonly (readonly [string, string])[],
): string | undefined {
  const forms = found.map(normalized);
  return texts.find(([, form]) => forms.some((text) => text.includes(form)))?.[0];
}

/** Line by line: numbers on lines of their own are not one number. */
function piiInLines(text: string): PiiKind | undefined {
  for (const line of text.split(/[\r\n]+/)) {
    const kind = hiddenPiiIn(foldedText(line));
    if (kind !== undefined) return kind;
  }
  return undefined;
}

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
