import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyType } from "../../../tests/support/arbitrary-value.ts";
import { check, type Field, readDocument, readInputs, readJson } from "../../ir/index.ts";
import { exampleText, missingInputs } from "./missing-inputs.ts";

function documentOf(text: string) {
  const read = readDocument(text);
  if (!read.ok) throw new Error(read.problems[0]!.message);
  return { ...read.value, file: "a.eir", text };
}

describe("missing inputs", () => {
  it("are listed with their types, their place and an example", () => {
    const text = 'effect-ir 1\nprogram (limit: real, who?: list<string>, how: enum{"a", "b"}) {}';
    expect(missingInputs(documentOf(text))).toEqual({
      ok: false,
      file: "a.eir",
      source: text,
      problems: [
        {
          code: "FC1513",
          message:
            'the program needs the inputs `limit: real`, `who?: list<string>` and `how: enum{"a", "b"}`',
          path: ["program", "inputs"],
          help: 'give a JSON file with --input, for example:\n{"limit": 1, "who": ["text"], "how": "a"}',
          span: { start: 21, end: 73 },
        },
      ],
    });
  });

  it("are none if the program needs none", () => {
    expect(missingInputs(documentOf("effect-ir 1\nprogram (x?: int) {}"))).toBeUndefined();
    expect(missingInputs(documentOf("effect-ir 1"))).toBeUndefined();
  });
});

describe("the example", () => {
  it("is taken by the program, whatever its inputs", () => {
    const anyInputs = fc.uniqueArray(
      fc.record({ name: fc.constantFrom("a", "b", "__proto__", 'q"'), type: anyType() }),
      { selector: ({ name }) => name },
    );
    fc.assert(
      fc.property(anyInputs, (inputs: readonly Field[]) => {
        const program = { inputs, body: [] };
        const checked = check({ effectIr: 1, fluents: [], tools: [], program, guarantees: [] });
        // Not every type may be passed in from outside.
        if (!checked.ok) return;
        const json = readJson(exampleText(inputs));
        expect(json.ok && readInputs(checked.value, json.value.value).ok).toBe(true);
      }),
    );
  });
});
