/**
 * The parser, with a fence around it. It is native code that recurses, and nesting that is deeper than its stack ends
 * the whole process without a word. What could be so deep is parsed in a process of its own first.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { type ParseResult, type ParserOptions, parseSync } from "oxc-parser";

/** LIMIT: with so few of them, brackets cannot be nested too deep; each construct was tried with more. */
const mostBrackets = 2_000;
/** LIMIT: the same for what nests without brackets: operators, arrows, statements after conditions. */
const mostSigns = 8_000;
/** LIMIT: for the process that tries it. */
const trialMs = 20_000;

const brackets = /[([{<]/g;
/** Everything that can begin a part: signs but closing ones and separators, and words of the language. */
const signs =
  /[^\w\s,;)\]}"'`]|\b(?:if|else|for|while|do|with|new|typeof|void|delete|await|yield|keyof|infer|extends|return|function|class|async|readonly|unique|asserts|is|as|satisfies|in|of|instanceof|throw|case|namespace|module)\b/g;

/** Undefined if it is nested deeper than the parser can follow. */
export function parseText(path: string, text: string, options: ParserOptions): ParseResult | undefined {
  if (couldBeDeep(text) && !survives(path, text, options)) return undefined;
  return parseSync(path, text, options);
}

function couldBeDeep(text: string): boolean {
  return exceeds(text, brackets, mostBrackets) || exceeds(text, signs, mostSigns);
}

function exceeds(text: string, pattern: RegExp, most: number): boolean {
  pattern.lastIndex = 0;
  for (let count = 0; count <= most; count++) if (!pattern.test(text)) return false;
  return true;
}

const trial = `
import { readFileSync } from "node:fs";
const { module, path, options } = JSON.parse(process.argv[1]);
const { parseSync } = await import(module);
parseSync(path, readFileSync(0, "utf8"), options).program;
`;

function survives(path: string, text: string, options: ParserOptions): boolean {
  const require = createRequire(import.meta.url);
  // Loaded when it is needed, which is hardly ever.
  const { spawnSync }: typeof import("node:child_process") = require("node:child_process");
  const module = pathToFileURL(require.resolve("oxc-parser"));
  const task = JSON.stringify({ module, path, options });
  const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", trial, task], {
    input: text,
    timeout: trialMs,
    stdio: ["pipe", "ignore", "ignore"],
  });
  return status === 0;
}
