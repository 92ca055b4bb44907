/** Every example program as text and as JSON, linked again: the same document, the same questions, the same verdicts. */
import { describe, expect, it } from "vitest";
import { canonicalJson, check, documentToJson, hashDocument, printDocument } from "../../src/ir/index.ts";
import { domains, examples } from "../examples/examples.ts";
import { inTurns } from "../support/runs.ts";
import { compileExample, fromJson, fromText, linked, questions } from "./lab.ts";

describe("from TypeScript to text and JSON, and back", () => {
  it.each(inTurns(domains, 3))("%s", async (domain) => {
    let seen = 0;
    for (const example of examples.filter((one) => one.domain === domain)) {
      const compiled = compileExample(example);
      if (!compiled.ok) continue;
      seen++;
      const { document } = compiled.value;
      const direct = check(document);
      if (!direct.ok) throw new TypeError("a compiled document does not check");
      const text = linked(domain, fromText(printDocument(document)));
      const json = linked(domain, fromJson(canonicalJson(documentToJson(document))));
      expect(hashDocument(text.checked.document), example.path).toBe(hashDocument(document));
      expect(json.checked.document, example.path).toEqual(text.checked.document);
      expect([...text.own, ...json.own], example.path).toEqual([]);
      const expected = await questions(direct.value);
      expect(await questions(text.checked), example.path).toEqual(expected);
    }
    expect(seen).toBeGreaterThan(5);
  });
});
