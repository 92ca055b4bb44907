/** The parts of pages that are made from the sources. Each is named by `<!-- made: name -->` on its page. */

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { importsOf, isTest, readFiles, type SourceFile } from "../../scripts/rooms.mjs";
import { ROOT } from "../../scripts/tools.mjs";
import { approveCodes, serviceCodes } from "../../src/approve/index.ts";
import { routes } from "../../src/approve/service/openapi.ts";
import { checkCodes } from "../../src/certificate/codes.ts";
import { sentence as englishFor } from "../../src/explain/index.ts";
import { defaultFrontLimits, frontCodes } from "../../src/frontend/index.ts";
import { sessionCodes } from "../../src/guard/codes.ts";
import { signatureText } from "../../src/ir/check/signature.ts";
import { codes, defaultLimits, type Operator, printValue } from "../../src/ir/index.ts";
import { arithmetic } from "../../src/ir/operators/arithmetic.ts";
import { jsonOperators } from "../../src/ir/operators/json.ts";
import { lists } from "../../src/ir/operators/lists.ts";
import { logic } from "../../src/ir/operators/logic.ts";
import { options } from "../../src/ir/operators/options.ts";
import { strings } from "../../src/ir/operators/strings.ts";
import { texts } from "../../src/ir/operators/texts.ts";
import { linkCodes } from "../../src/link/codes.ts";
import { lintCodes } from "../../src/lint/index.ts";
import { defaultPlanLimits, planCodes } from "../../src/plan/index.ts";
import { runCodes } from "../../src/run/codes.ts";
import { formulaOf, readGolden } from "../explain/golden.ts";
import { evaluateText } from "./expressions.ts";
import { operatorExamples } from "./operator-examples.ts";

export function make(name: string): string {
  const maker = makers.get(name);
  if (maker === undefined) throw new Error(`nothing is known of the made part \`${name}\``);
  return maker();
}

const makers: ReadonlyMap<string, () => string> = new Map([
  ["operators", operatorSections],
  ["error-index", errorIndex],
  ["limits", () => limitTable("src/ir/limits.ts", defaultLimits)],
  ["language-limits", () => limitTable("src/frontend/codes.ts", defaultFrontLimits)],
  ["trusted-files", () => trustedFiles("src/ir/", trustedStarts, foldersOfTrust)],
  ["trusted-kernel", () => trustedFiles("src/kernel/", kernelStarts, foldersOfKernel)],
  ["trusted-checker", () => trustedFiles("src/certificate/", ["src/certificate/index.ts"], foldersOfChecker)],
  ["plan-limits", () => limitTable("src/plan/limits.ts", defaultPlanLimits)],
  ["sentences", sentenceExamples],
  ["routes", routeTable],
]);

// ── operators ────────────────────────────────────────────────────────────────────────────────────────────

function operatorSections(): string {
  const groups: readonly (readonly [string, readonly Operator[]])[] = [
    ["Logic", logic],
    ["Numbers", arithmetic],
    ["Strings", strings],
    ["Patterns, paths and URLs", texts],
    ["Lists, and what strings share with them", lists],
    ["Options and JSON", [...options, ...jsonOperators]],
  ];
  return groups
    .map(([title, group]) => `## ${title}\n\n${group.map(operatorSection).join("\n\n")}`)
    .join("\n\n");
}

function operatorSection({ name, meaning, signatures }: Operator): string {
  const examples = operatorExamples[name] ?? [];
  if (examples.length === 0) throw new Error(`\`${name}\` has no example in tests/docs/operator-examples.ts`);
  const gives = examples.map((text) => `\`${text}\` is \`${printValue(evaluateText(text).value)}\``);
  return [
    `### \`${name}\``,
    `${sentence(meaning)}`,
    [...signatures.map((one) => `- \`${signatureText(one)}\``), ...gives.map((one) => `- ${one}`)].join("\n"),
  ].join("\n\n");
}

// ── sentences ────────────────────────────────────────────────────────────────────────────────────────────

function sentenceExamples(): string {
  const { document, checked, cases } = readGolden();
  const parts = [...new Set(cases.map(({ part }) => part))].map((part) => {
    const lines = cases
      .filter((one) => one.part === part)
      .map(({ formula }) => {
        const { expr, judged } = formulaOf(checked, formula);
        return `${formula}\n  → ${englishFor(expr, judged)}`;
      });
    return `### ${capitalised(part)}\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\``;
  });
  return [`\`\`\`eir ok\n${document.trim()}\n\`\`\``, ...parts].join("\n\n");
}

// ── codes and limits ─────────────────────────────────────────────────────────────────────────────────────

/** By the first two digits. */
const groupsOfCodes: Readonly<Record<string, string>> = {
  FC10: "Reading text",
  FC11: "Reading JSON",
  FC12: "Names",
  FC13: "Types",
  FC14: "Limits",
  FC15: "Running",
  FC16: "Values from and to JavaScript",
  FC20: "TypeScript: modules and imports",
  FC21: "TypeScript: types",
  FC22: "TypeScript: tool modules and contracts",
  FC23: "TypeScript: programs",
  FC24: "TypeScript: names",
  FC25: "TypeScript: limits",
  FC26: "Documents with tool modules, and saved tool layers",
  FC30: "Plans: how they hang together",
  FC31: "Plans: what they do",
  FC32: "Plans: with tool modules",
  FC33: "Plans: running them",
  FC34: "Plans: made better, and made documents",
  FC40: "Receipts",
  FC41: "The approval service",
  FC45: "Running programs",
  FC46: "Sessions",
  FC52: "Lint",
  FC53: "Certificates",
};

function errorIndex(): string {
  return Object.entries(groupsOfCodes)
    .map(([start, title]) => {
      const rows = Object.entries({
        ...codes,
        ...frontCodes,
        ...planCodes,
        ...approveCodes,
        ...serviceCodes,
        ...runCodes,
        ...sessionCodes,
        ...lintCodes,
        ...checkCodes,
        ...linkCodes,
      })
        .filter(([code]) => code.startsWith(start))
        .map(([code, meaning]) => `| [${code}](${code}.md) | ${meaning} |`);
      return [`## ${title}`, "", "| code | meaning |", "|---|---|", ...rows].join("\n");
    })
    .join("\n\n");
}

function routeTable(): string {
  const rows = routes.map(({ method, path, summary, who }) => {
    return `| \`${method.toUpperCase()} ${path}\` | ${who ?? "everybody"} | ${summary} |`;
  });
  return ["| route | for | |", "|---|---|---|", ...rows].join("\n");
}

function limitTable(path: string, limits: object): string {
  const source = readFileSync(join(ROOT, path), "utf8");
  const rows = Object.entries(limits).map(([name, value]) => {
    const [, meaning] = new RegExp(`/\\*\\* ([^*]+) \\*/\\s+readonly ${name}:`).exec(source) ?? [];
    if (meaning === undefined) throw new Error(`the limit \`${name}\` is not explained`);
    return `| \`${name}\` | ${value.toLocaleString("en-US")} | ${meaning} |`;
  });
  return ["| limit | default | what it bounds |", "|---|---:|---|", ...rows].join("\n");
}

// ── what must be trusted ─────────────────────────────────────────────────────────────────────────────────

/** From these on, everything that is imported for more than its types. */
const trustedStarts = [
  "src/ir/read.ts",
  "src/ir/hash.ts",
  "src/ir/run/interpret.ts",
  "src/ir/run/recorded.ts",
  "src/ir/eval/formula.ts",
];

const foldersOfTrust: readonly (readonly [string, string])[] = [
  ["src/ir", "What everything is made of"],
  ["src/ir/text", "The text form"],
  ["src/ir/json", "The JSON form"],
  ["src/ir/check", "Which documents make sense"],
  ["src/ir/operators", "What expressions compute"],
  ["src/ir/regular", "Regular languages and patterns"],
  ["src/ir/inside", "Paths and URLs"],
  ["src/ir/eval", "What expressions and formulas mean"],
  ["src/ir/flow", "Where values may come from"],
  ["src/ir/convert", "Between exact values and JavaScript"],
  ["src/ir/run", "The interpreter"],
];

/** What decides, what is written, verified and signed, and the shell around it. */
const kernelStarts = [
  "src/kernel/core/step.ts",
  "src/kernel/shell/kernel.ts",
  "src/kernel/trace/checkpoint.ts",
  "src/kernel/trace/verify.ts",
];

const foldersOfKernel: readonly (readonly [string, string])[] = [
  ["src/kernel", "What the kernel is made of"],
  ["src/kernel/core", "What decides"],
  ["src/kernel/rules", "The ready rules"],
  ["src/kernel/trace", "What is written and verified"],
  ["src/kernel/values", "Values and amounts"],
  ["src/kernel/shell", "Between callers and the ledger"],
];

const foldersOfChecker: readonly (readonly [string, string])[] = [["src/certificate", "The checker"]];

function trustedFiles(
  room: string,
  starts: readonly string[],
  folders: readonly (readonly [string, string])[],
): string {
  const files = new Map(
    readFiles((path) => path.startsWith(room) && !isTest(path)).map((file) => [file.path, file]),
  );
  const trusted = reachable(files, starts);
  // What must be trusted must not be left out because its folder is new.
  const listed = new Set(folders.map(([folder]) => folder));
  const unlisted = trusted.filter(({ path }) => !listed.has(posix.dirname(path)));
  if (unlisted.length > 0) throw new Error(`no heading for ${unlisted.map(({ path }) => path).join(", ")}`);
  const sections = folders.map(([folder, title]) => {
    const rows = trusted
      .filter(({ path }) => posix.dirname(path) === folder)
      .map(
        ({ path, text }) =>
          `| [${posix.basename(path)}](../../${path}) | ${roundedLines(text)} | ${purposeOf(text)} |`,
      );
    const total = trusted
      .filter(({ path }) => posix.dirname(path) === folder)
      .map(({ text }) => linesOf(text));
    return [
      `### ${title}: \`${folder}\`, about ${rounded(total.reduce((a, b) => a + b, 0))} lines`,
      "",
      "| file | lines | what it is |",
      "|---|---:|---|",
      ...rows,
    ].join("\n");
  });
  const all = trusted.reduce((sum, { text }) => sum + linesOf(text), 0);
  return [`In all about ${Math.round(all / 100) * 100} lines in ${trusted.length} files.`, ...sections].join(
    "\n\n",
  );
}

/** In the order of their paths. */
function reachable(files: ReadonlyMap<string, SourceFile>, starts: readonly string[]): SourceFile[] {
  const seen = new Map<string, SourceFile>();
  const waiting = [...starts];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = files.get(path);
    if (file === undefined || seen.has(path)) continue;
    seen.set(path, file);
    const folder = posix.dirname(path);
    for (const { specifier } of importsOf({ path, text: withoutTypes(file.text) })) {
      if (specifier?.startsWith(".")) waiting.push(posix.join(folder, specifier));
    }
  }
  return [...seen.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Imports of types leave nothing behind when the program runs. */
function withoutTypes(text: string): string {
  return text.replaceAll(/^(?:import|export) type [^;=]* from "[^"]*";$/gm, "");
}

/** The first sentence of the comment at the top of the file. */
function purposeOf(text: string): string {
  const [, comment = ""] = /^\/\*\*([\s\S]*?)\*\//.exec(text) ?? [];
  const words = comment.replaceAll(/\n \*/g, " ").replaceAll(/\s+/g, " ").trim();
  const [first = ""] = /^.*?[.](?= |$)/.exec(words) ?? [words];
  if (first === "") throw new Error("a file without a comment at its top");
  return capitalised(first.replace(/^LIMIT: /, "")).replaceAll("|", "\\|");
}

function linesOf(text: string): number {
  return text.trimEnd().split("\n").length;
}

function roundedLines(text: string): number {
  return rounded(linesOf(text));
}

/** To tens, so that the page does not change with every line. */
function rounded(count: number): number {
  return Math.max(10, Math.round(count / 10) * 10);
}

function sentence(words: string): string {
  return `${capitalised(words)}.`;
}

function capitalised(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
