/** The failure of a program whose inputs were not given: it lists them, with an example. */
import { type Field, numText, printType, quoted, type Type } from "../../ir/index.ts";
import type { Failure } from "../failure.ts";
import { listed } from "../report/words.ts";
import type { LoadedDocument } from "./documents.ts";

/** Undefined if the program runs without. */
export function missingInputs(document: LoadedDocument): Failure | undefined {
  const { inputs } = document.checked.document.program;
  if (inputs.every(({ optional }) => optional === true)) return undefined;
  const names = inputs.map(
    ({ name, type, optional }) => `\`${name}${optional ? "?" : ""}: ${printType(type)}\``,
  );
  return {
    ok: false,
    file: document.file,
    source: document.text,
    problems: [
      {
        code: "FC1513",
        message: `the program needs ${inputs.length === 1 ? "the input" : "the inputs"} ${listed(names)}`,
        path: ["program", "inputs"],
        help: `give a JSON file with --input, for example:\n${exampleText(inputs)}`,
        ...spanOf(document, inputs.length),
      },
    ],
  };
}

function spanOf({ locate }: LoadedDocument, count: number) {
  const first = locate(["program", "inputs", 0]);
  const last = locate(["program", "inputs", count - 1]);
  return first && last && { span: { start: first.start, end: last.end } };
}

/** JSON that the program takes, with a value for every input. */
export function exampleText(inputs: readonly Field[]): string {
  return objectText(inputs, 0);
}

function objectText(fields: readonly Field[], depth: number): string {
  const parts = fields.map(({ name, type }) => `${JSON.stringify(name)}: ${exampleOf(type, depth)}`);
  return `{${parts.join(", ")}}`;
}

/** LIMIT: an example is for reading; what is nested deeper is left empty. */
const deepest = 4;

/** JSON that is taken for a value of the type. */
export function exampleOf(type: Type, depth = 0): string {
  switch (type.kind) {
    case "bool":
      return "true";
    case "int":
    case "real":
      return numText(1n);
    case "string":
      return '"text"';
    case "json":
      return "null";
    case "enum":
      return JSON.stringify(type.values[0] ?? "");
    case "list":
      return depth >= deepest ? "[]" : `[${exampleOf(type.element, depth + 1)}]`;
    case "map":
      return depth >= deepest ? "{}" : `{"key": ${exampleOf(type.value, depth + 1)}}`;
    case "option":
      return depth >= deepest ? "null" : exampleOf(type.value, depth + 1);
    case "record": {
      const kept = depth >= deepest ? type.fields.filter(({ optional }) => optional !== true) : type.fields;
      return objectText(kept, depth + 1);
    }
    case "never":
      throw new TypeError(`the checker lets no input have ${quoted("never")}`);
  }
}
