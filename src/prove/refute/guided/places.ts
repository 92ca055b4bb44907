/** Places in the values that a run meets, and changes of what stands there. A text that holds JSON has places inside. */
import {
  conforms,
  isList,
  isOption,
  isRecord,
  jsonObject,
  list,
  Meter,
  none,
  operatorNamed,
  record,
  some,
  type Type,
  type Value,
} from "../../../ir/index.ts";
import { jsonTextOf } from "../random/json-text.ts";

type Step =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "item"; readonly at: number }
  /** Into an option. */
  | { readonly kind: "some" }
  /** Into the JSON that a text holds. */
  | { readonly kind: "text" };

export interface Place {
  /** Name of the result that it is in; empty for the inputs. */
  readonly root: string;
  readonly steps: readonly Step[];
  readonly type: Type;
  /** Undefined where nothing is, and something may be. */
  readonly value: Value | undefined;
  /** True if nothing may be there. */
  readonly mayBeAbsent: boolean;
  /** Name of the innermost field. */
  readonly name: string | undefined;
}

/** LIMIT: of places in one value, and of elements of a list that are looked at, from the beginning. */
const mostPlaces = 300;
const mostItems = 6;
const json: Type = { kind: "json" };

/** Lists the places of a value, the whole before its parts. */
export function placesIn(root: string, type: Type, value: Value): readonly Place[] {
  const found: Place[] = [];
  const visit = (place: Place): void => {
    if (found.length >= mostPlaces) return;
    found.push(place);
    const { value: held, type: of, steps, name } = place;
    if (held === undefined) return;
    const below = (step: Step, type: Type, value: Value | undefined, mayBeAbsent: boolean, named = name) =>
      visit({ root, steps: [...steps, step], type, value, mayBeAbsent, name: named });
    switch (of.kind) {
      case "record":
        if (isRecord(held))
          for (const field of of.fields)
            below(
              { kind: "field", name: field.name },
              field.type,
              held.fields[field.name],
              field.optional === true,
              field.name,
            );
        break;
      case "list":
        if (isList(held))
          for (const [at, item] of held.slice(0, mostItems).entries())
            below({ kind: "item", at }, of.element, item, false);
        break;
      case "option":
        if (isOption(held))
          below({ kind: "some" }, of.value, held.kind === "some" ? held.value : undefined, true);
        break;
      case "json":
        if (isList(held))
          for (const [at, item] of held.slice(0, mostItems).entries())
            below({ kind: "item", at }, json, item, false);
        else if (isRecord(held))
          for (const [field, inner] of Object.entries(held.fields))
            below({ kind: "field", name: field }, json, inner, true, field);
        else if (typeof held === "string") insideText(held);
        break;
      case "string":
        if (typeof held === "string") insideText(held);
        break;
      default:
    }
    function insideText(text: string): void {
      const inner = parsed(text);
      if (inner !== undefined) below({ kind: "text" }, json, inner, false);
    }
  };
  visit({ root, steps: [], type, value, mayBeAbsent: false, name: undefined });
  return found;
}

/** The value of a text that is a JSON object or array. */
function parsed(text: string): Value | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const operator = operatorNamed("parseJson");
  if (operator === undefined || operator.evaluate.kind === "lazy") return undefined;
  const found = operator.evaluate.apply([text], { meter: new Meter(), type: json });
  return typeof found === "object" && found !== null && "kind" in found && found.kind === "some"
    ? found.value
    : undefined;
}

/** Returns the whole with another value at the place; undefined takes away what may be absent. */
export function withValue(whole: Value, place: Place, value: Value | undefined): Value | undefined {
  if (value !== undefined && !conforms(value, place.type)) return undefined;
  if (value === undefined && !place.mayBeAbsent) return undefined;
  return changed(whole, place.steps, 0, value);
}

function changed(
  whole: Value | undefined,
  steps: readonly Step[],
  from: number,
  value: Value | undefined,
): Value | undefined {
  const step = steps[from];
  if (step === undefined) return value;
  if (whole === undefined) return undefined;
  switch (step.kind) {
    case "field": {
      if (!isRecord(whole)) return undefined;
      const inner = changed(whole.fields[step.name], steps, from + 1, value);
      const others = Object.entries(whole.fields).filter(
        ([name]) => name !== step.name || inner !== undefined,
      );
      const entries = others.map(([name, of]) => [name, name === step.name ? (inner ?? of) : of] as const);
      const isNew = inner !== undefined && !(step.name in whole.fields);
      const all = isNew ? [...entries, [step.name, inner] as const] : entries;
      return whole.ordered ? jsonObject(all) : record(all);
    }
    case "item": {
      if (!isList(whole)) return undefined;
      const inner = changed(whole[step.at], steps, from + 1, value);
      return inner === undefined ? undefined : list(whole.map((item, i) => (i === step.at ? inner : item)));
    }
    case "some": {
      if (!isOption(whole)) return undefined;
      const inner = changed(whole.kind === "some" ? whole.value : undefined, steps, from + 1, value);
      return inner === undefined ? none : some(inner);
    }
    case "text": {
      if (typeof whole !== "string") return undefined;
      const inner = changed(parsed(whole), steps, from + 1, value);
      return inner === undefined ? undefined : jsonTextOf(inner);
    }
  }
}
