import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCommand, anyDocument, anyExpr, anyType } from "../../../tests/support/arbitrary-document.ts";
import { runs } from "../../../tests/support/runs.ts";
import type { Diagnostic, Result } from "../diagnostic.ts";
import type { Document, Expr } from "../document.ts";
import { parseDocument, parseExpr } from "./parser.ts";
import { printCommand, printDocument, printExpr, printType } from "./printer.ts";

describe("what was printed is read back as it was", () => {
  test("documents", () => {
    fc.assert(
      fc.property(anyDocument(), (document) => {
        const text = printDocument(document);
        const again = value(parseDocument(text), text).document;
        expect(again).toStrictEqual(plain(document));
        expect(printDocument(again)).toBe(text);
      }),
      { numRuns: runs(300) },
    );
  });

  test("expressions", () => {
    fc.assert(
      fc.property(anyExpr(), (expr) => {
        const text = printExpr(expr);
        expect(value(parseExpr(text), text).expr).toStrictEqual(plain(expr));
      }),
      { numRuns: runs(2000) },
    );
  });

  test("types", () => {
    fc.assert(
      fc.property(anyType(), (type) => {
        const text = `effect-ir 1 fluent f[${printType(type)}]: ${printType(type)}= unknown`;
        const [fluent] = value(parseDocument(text), text).document.fluents;
        expect(fluent?.key).toStrictEqual(plain(type));
        expect(fluent?.value).toStrictEqual(plain(type));
      }),
    );
  });

  test("single commands, but for the ids that are left out", () => {
    fc.assert(
      fc.property(anyCommand(), (command) => {
        const text = `effect-ir 1 program () {${printCommand(command)}}`;
        const { body } = value(parseDocument(text), text).document.program;
        expect(body.map(printCommand)).toStrictEqual([printCommand(command)]);
      }),
    );
  });
});

/** fast-check makes records without a prototype sometimes; the parser makes ordinary objects. */
function plain<T extends Document | Expr | object>(data: T): T {
  return structuredClone(data);
}

function value<T>(result: Result<T>, text: string): T {
  if (result.ok) return result.value;
  throw new Error(`${result.problems.map(problemText).join("\n")}\nin:\n${text}`);
}

function problemText({ code, message, span }: Diagnostic): string {
  return `${code} at ${span?.start}: ${message}`;
}
