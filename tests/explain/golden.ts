/** The table of sentences under `spec/sentences`: formulas, each with its sentence on the line below. */
import { type Checked, checkExpr, type Expr, parseExpr, readDocument } from "../../src/ir/index.ts";
import { readText } from "../support/spec-files.ts";

export const goldenPath = "spec/sentences/formulas.txt";

export interface Golden {
  /** The heading that it stands under. */
  readonly part: string;
  readonly formula: string;
  /** Empty if it was not said yet. */
  readonly sentence: string;
}

export interface GoldenFile {
  readonly document: string;
  readonly checked: Checked;
  readonly cases: readonly Golden[];
}

const divider = "--- sentences\n";

export function readGolden(): GoldenFile {
  const text = readText(goldenPath);
  const at = text.indexOf(divider);
  const document = text.slice(0, at);
  const read = readDocument(document);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join("\n"));
  const cases: Golden[] = [];
  let part = "";
  for (const line of text.slice(at + divider.length).split("\n")) {
    const last = cases.at(-1);
    if (line.startsWith("# ")) part = line.slice(2);
    else if (line.startsWith("  ") && last !== undefined)
      cases[cases.length - 1] = { ...last, sentence: line.trim() };
    else if (line !== "") cases.push({ part, formula: line, sentence: "" });
  }
  return { document, checked: read.value.checked, cases };
}

/** The file with these sentences. */
export function writeGolden({ document, cases }: GoldenFile): string {
  const parts = [...new Set(cases.map(({ part }) => part))].map((part) => {
    const lines = cases
      .filter((one) => one.part === part)
      .map(({ formula, sentence }) => `${formula}\n  ${sentence}`);
    return `\n# ${part}\n${lines.join("\n")}\n`;
  });
  return `${document}${divider}${parts.join("")}`;
}

export function formulaOf(checked: Checked, text: string): { readonly expr: Expr; readonly judged: Checked } {
  const parsed = parseExpr(text);
  if (!parsed.ok) throw new Error(`${parsed.problems[0]?.message}: ${text}`);
  const judged = checkExpr(checked, parsed.value.expr, "trace");
  if (!judged.ok) throw new Error(`${judged.problems[0]?.message}: ${text}`);
  return { expr: parsed.value.expr, judged: judged.value };
}
