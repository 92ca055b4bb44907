/** Exact values as the text form writes them; what has no literal there, as JSON has `null`, as it is there. */
import type { Num } from "../number.ts";
import { isList, isNum, type RecordValue, type Value } from "../value.ts";
import { printExpr } from "./print-expr.ts";

/** `most`: no more is written than a little beyond so many characters, for a reader who cuts it anyway. */
export function printValue(value: Value, most = Number.POSITIVE_INFINITY): string {
  const writer = new Writer(most);
  writer.value(value);
  return writer.text();
}

/** The fields of a record as the arguments of a call: `to: "bob", amount: 5`. */
export function printFields({ fields }: RecordValue, most = Number.POSITIVE_INFINITY): string {
  const writer = new Writer(most);
  writer.fields(fields);
  return writer.text();
}

class Writer {
  readonly #parts: string[] = [];
  #room: number;

  constructor(most: number) {
    this.#room = most;
  }

  text(): string {
    return this.#parts.join("");
  }

  value(value: Value): void {
    if (value === null) this.#put("null");
    else if (typeof value === "boolean") this.#put(String(value));
    else if (typeof value === "string") this.#string(value);
    else if (isNum(value)) this.#number(value);
    else if (isList(value)) this.#list(value);
    else if (value.kind === "none") this.#put("none");
    else if (value.kind === "some") {
      this.#put("some(");
      this.value(value.value);
      this.#put(")");
    } else this.#record(value);
  }

  fields(fields: RecordValue["fields"]): void {
    let separator = "";
    for (const [name, value] of Object.entries(fields)) {
      if (this.#room <= 0) return;
      this.#put(`${separator}${labelText(name)}: `);
      this.value(value);
      separator = ", ";
    }
  }

  #record({ fields }: RecordValue): void {
    const space = Object.keys(fields).length === 0 ? "" : " ";
    this.#put(`{${space}`);
    this.fields(fields);
    this.#put(`${space}}`);
  }

  #number(value: Num): void {
    this.#put(printExpr({ kind: "number", value }));
  }

  #string(value: string): void {
    this.#put(printExpr({ kind: "string", value: value.slice(0, Math.max(0, this.#room)) }));
  }

  #list(items: readonly Value[]): void {
    this.#put("[");
    for (const [i, item] of items.entries()) {
      if (this.#room <= 0) return;
      if (i > 0) this.#put(", ");
      this.value(item);
    }
    this.#put("]");
  }

  #put(text: string): void {
    this.#parts.push(text);
    this.#room -= text.length;
  }
}

/** Before a colon every word can stand as it is. */
function labelText(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : printExpr({ kind: "var", name });
}
