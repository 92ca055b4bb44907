/** Exact values as they are written in the text form; what has no literal there, as JSON has `null`, as it is there. */
import { type Num, printExpr, type RecordValue, type Value } from "../../ir/index.ts";
import { isList, isNum } from "../../ir/value.ts";

/** `most`: no more is written than a little beyond so many characters, for a reader who cuts it anyway. */
export function valueText(value: Value, most = Number.POSITIVE_INFINITY): string {
  const writer = new Writer(most);
  writer.value(value);
  return writer.text();
}

/** The fields of a record as the arguments of a call: `to: "bob", amount: 5`. */
export function argumentsText({ fields }: RecordValue, most = Number.POSITIVE_INFINITY): string {
  const writer = new Writer(most);
  writer.fields(fields);
  return writer.text();
}

export function numberText(value: Num): string {
  return printExpr({ kind: "number", value });
}

/** The name of a variable or of a call. */
export function nameText(name: string): string {
  return printExpr({ kind: "var", name });
}

/** Before a colon every word can stand as it is. */
function labelText(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : nameText(name);
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
    else if (isNum(value)) this.#put(numberText(value));
    else if (isList(value)) this.#list(value);
    else if (value.kind === "none") this.#put("none");
    else if (value.kind === "some") {
      this.#put("some(");
      this.value(value.value);
      this.#put(")");
    } else {
      const isEmpty = Object.keys(value.fields).length === 0;
      this.#put(isEmpty ? "{" : "{ ");
      this.fields(value.fields);
      this.#put(isEmpty ? "}" : " }");
    }
  }

  fields(fields: RecordValue["fields"]): void {
    let isFirst = true;
    for (const [name, value] of Object.entries(fields)) {
      if (this.#room <= 0) return;
      this.#put(`${isFirst ? "" : ", "}${labelText(name)}: `);
      this.value(value);
      isFirst = false;
    }
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
