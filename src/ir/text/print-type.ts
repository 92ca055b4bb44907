/** Types to text. Part of what must be trusted. */
import type { Field, Type } from "../type.ts";
import { printLabel, printString } from "./print-name.ts";

export function printType(type: Type): string {
  const out: string[] = [];
  writeType(out, type);
  return out.join("");
}

export function writeType(out: string[], type: Type): void {
  switch (type.kind) {
    case "never":
    case "bool":
    case "int":
    case "real":
    case "string":
    case "json":
      out.push(type.kind);
      return;
    case "enum":
      out.push("enum{", type.values.map(printString).join(", "), "}");
      return;
    case "list":
      out.push("list<");
      writeType(out, type.element);
      out.push(">");
      return;
    case "map":
      out.push("map<");
      writeType(out, type.value);
      out.push(">");
      return;
    case "option":
      out.push("option<");
      writeType(out, type.value);
      out.push(">");
      return;
    case "record":
      out.push("record{");
      writeFields(out, type.fields);
      out.push("}");
      return;
  }
}

export function writeFields(out: string[], fields: readonly Field[]): void {
  fields.forEach(({ name, type, optional }, i) => {
    if (i > 0) out.push(", ");
    out.push(printLabel(name), optional ? "?: " : ": ");
    writeType(out, type);
  });
}
