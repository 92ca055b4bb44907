/**
 * Lines of TypeScript on a page, each with what it gives: `0.1 + 0.2 // 0.3`. A line stands in the `run` of a program
 * of its own, which is compiled and run on the interpreter; and in a JavaScript function, which is run too.
 */

import { compileProgram, compileTools } from "../../src/frontend/index.ts";
import { pathInside, urlInside } from "../../src/index.ts";
import { check, readInputs, readingHandlers, run, type ToolHandler, type Value } from "../../src/ir/index.ts";
import { stripTypes } from "../frontend/strip-types.ts";
import type { Block } from "./pages.ts";
import { sharedFiles } from "./sources.ts";

export interface Line {
  readonly code: string;
  /** A value as JavaScript writes it, `FC2303` if the line does not compile, or `stops: FC1503`. */
  readonly said: string;
  /** The value in JavaScript, if it differs. */
  readonly javaScript: string | undefined;
}

/** Lines without an answer belong to the next one that has one. */
export function linesOf({ page, line: start, text }: Block): Line[] {
  const lines: Line[] = [];
  let before = "";
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const [, code = "", said = "", javaScript] =
      /^(.*?)\s+\/\/ (.*?)(?:; JavaScript: (.*))?$/.exec(line) ?? [];
    if (said === "") before += `${line}\n`;
    else {
      lines.push({ code: before + code, said, javaScript });
      before = "";
    }
  }
  if (before !== "") throw new Error(`${page}:${start}: nothing is said of ${before}`);
  return lines;
}

export type Answer =
  | { readonly kind: "refused"; readonly codes: readonly string[] }
  | { readonly kind: "stopped"; readonly code: string }
  | { readonly kind: "value"; readonly value: Value | undefined };

/** Inputs that docs/reference/language.md gives to its lines. */
const inputs = () => ({ n: 2.5, text: "Hello", words: ["one", "two"] });
const declared = "{ n, text, words, maybe }: { n: number; text: string; words: string[]; maybe?: string }";
const results: Readonly<Record<string, unknown>> = { inbox: [], find: null };

/** Evaluates the line here. */
export async function answerOf(code: string): Promise<Answer> {
  const body = withLast(code, (last) => `await page.show({ value: ${last} });`);
  const compiled = compile(body);
  if (!compiled.ok) return { kind: "refused", codes: [...new Set(compiled.problems.map((one) => one.code))] };
  const { document } = compiled.value;
  const checked = check(document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const given = readInputs(checked.value, inputs());
  if (!given.ok) throw new Error(JSON.stringify(given.problems));
  const readings = readingHandlers({
    nowMs: () => Date.UTC(2025, 0, 1),
    random: () => 0.5,
    pause: async () => {},
  });
  const tools = new Map<string, ToolHandler>(
    document.tools.map(({ name }) => [
      name,
      readings.get(name) ?? { run: () => results[name.split(".").at(-1) ?? ""] },
    ]),
  );
  const { outcome, trace } = await run(checked.value, { inputs: given.value, tools });
  if (outcome.kind === "stopped") return { kind: "stopped", code: outcome.problem.code };
  const shown = trace.findLast((entry) => entry.tool === "page.show");
  return { kind: "value", value: shown?.args.fields.value };
}

function compile(body: string) {
  const files: Record<string, string> = {
    ...sharedFiles(),
    "tools/page.ts": `import { contract, tool } from "foreclaim";
      export const show = tool({ run: async ({ value }: { value?: unknown }): Promise<void> => {} });
      export const nothing = contract(() => true);`,
    "program.ts": `import { pathInside, program, urlInside } from "foreclaim";
      import * as mail from "./tools/mail";
      import * as page from "./tools/page";
      export default program({ guarantees: [page.nothing()], async run(${declared}) {
        ${body}
      } });`,
  };
  return compileProgram("program.ts", { readFile: (path) => files[path] });
}

/** Evaluates the line in JavaScript, as text. */
export async function inJavaScript(code: string): Promise<string> {
  const mail = Object.fromEntries(
    ["send", "inbox", "find", "keep"].map((name) => [name, async () => results[name]]),
  );
  const body = withLast(code, (last) => `return (${last});`);
  const given = { ...inputs(), maybe: undefined, mail, pathInside, urlInside };
  // The pages' own lines, never a user's.
  const made = new Function(...Object.keys(given), `return ${stripTypes(`(async () => { ${body} })();`)}`);
  const value: unknown = await made(...Object.values(given));
  return JSON.stringify(value) ?? String(value);
}

/** The expression at the end, of a line that may have statements before it. */
function withLast(code: string, use: (last: string) => string): string {
  if (/[;}]\s*$/.test(code)) return code;
  const end = Math.max(code.lastIndexOf("; "), code.lastIndexOf(";\n"), code.lastIndexOf("}\n"));
  return end < 0 ? use(code.trim()) : `${code.slice(0, end + 1)}\n${use(code.slice(end + 2).trim())}`;
}

// ── tables of what is refused ────────────────────────────────────────────────────────────────────────────

export interface Refused {
  readonly code: string;
  readonly error: string;
}

/** The rows of tables with the columns `not`, `error` and `but`: what is refused, and what to write for it. */
export function refusedIn(text: string): { readonly refused: Refused[]; readonly instead: string[] } {
  const refused: Refused[] = [];
  const instead: string[] = [];
  for (const [, rows = ""] of text.matchAll(/^\| not \| error \| but \|\n\|[-|]+\|\n((?:\|.*\n)+)/gm)) {
    for (const row of rows.trim().split("\n")) {
      const [, first = "", second = "", third = ""] = row.split(/(?<!\\)\|/);
      const [, error = ""] = /\[(FC\d{4})\]/.exec(second) ?? [];
      refused.push(...codesIn(first).map((code) => ({ code, error })));
      instead.push(...codesIn(third));
    }
  }
  return { refused, instead };
}

function codesIn(cell: string): string[] {
  return Array.from(cell.matchAll(/(`+)(.+?)\1/g), ([, , code = ""]) => code.trim().replaceAll("\\|", "|"));
}

/** The codes of what is wrong with it: a type (`: Date`), or a line of a program. */
export function problemsOf(code: string): readonly string[] {
  const result = code.startsWith(":")
    ? compileType(code)
    : compile(withLast(code, (last) => `await page.show({ value: ${last} });`));
  return result.ok ? [] : [...new Set(result.problems.map((one) => one.code))];
}

function compileType(annotation: string) {
  const module = `import { tool, type Int } from "foreclaim";
    interface Row { id: string; n: number }
    interface Tree { children: Tree[] }
    export const a = tool({ run: async ({ it }: { it${annotation} }): Promise<void> => {} });`;
  return compileTools(["tools/a.ts"], { readFile: (path) => (path === "tools/a.ts" ? module : undefined) });
}
