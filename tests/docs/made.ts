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
import { catalogue } from "../../src/mcp/index.ts";
import { defaultPlanLimits, planCodes } from "../../src/plan/index.ts";
import { runCodes } from "../../src/run/codes.ts";
import { formulaOf, readGolden } from "../explain/golden.ts";
import { evaluateText } from "./expressions.ts";
import { operatorExamples } from "./operator-examples.ts";

interface TrustedPart {
  readonly title: string;
  readonly room: string;
  /** Everything that these import within the room for more than its types must be trusted. */
  readonly starts: readonly string[];
  readonly folders: readonly (readonly [folder: string, title: string])[];
}

const trusted = {
  files: {
    title: "the Effect IR",
    room: "src/ir/",
    starts: [
      "src/ir/read.ts",
      "src/ir/hash.ts",
      "src/ir/run/interpret.ts",
      "src/ir/run/recorded.ts",
      "src/ir/eval/formula.ts",
    ],
    folders: [
      ["src/ir", "Documents, types and values"],
      ["src/ir/text", "The text form"],
      ["src/ir/json", "The JSON form"],
      ["src/ir/check", "The type checker"],
      ["src/ir/operators", "Operators"],
      ["src/ir/regular", "Regular languages and patterns"],
      ["src/ir/inside", "Paths and URLs"],
      ["src/ir/eval", "Evaluation of expressions and formulas"],
      ["src/ir/flow", "Data flow"],
      ["src/ir/convert", "Conversion from and to JavaScript"],
      ["src/ir/run", "The interpreter"],
    ],
  },
  prover: {
    title: "the prover",
    room: "src/prove/",
    starts: [
      "src/prove/prove.ts",
      "src/prove/decide/solver/index.ts",
      "src/prove/decide/solver/wasm-worker.ts",
    ],
    folders: [
      ["src/prove", "Entry points"],
      ["src/prove/terms", "Terms"],
      ["src/prove/symbolic", "Symbolic execution"],
      ["src/prove/goals", "Guarantees as terms"],
      ["src/prove/decide", "Decision without and with a solver"],
      ["src/prove/decide/solver", "Solvers"],
      ["src/prove/loops", "Loops"],
      ["src/prove/prefix", "Runs that stop early"],
      ["src/prove/refute", "Counterexamples"],
      ["src/prove/refute/random", "Random runs"],
      ["src/prove/refute/guided", "Runs guided by goals"],
      ["src/prove/slice", "Slices of programs"],
    ],
  },
  checker: {
    title: "the certificate checker",
    room: "src/certificate/",
    starts: ["src/certificate/index.ts"],
    folders: [["src/certificate", "The checker"]],
  },
  receipts: {
    title: "receipts",
    room: "src/approve/",
    starts: ["src/approve/check-receipt.ts", "src/approve/use-receipt.ts"],
    folders: [["src/approve", "Receipts"]],
  },
  runner: {
    title: "the runner",
    room: "src/run/",
    starts: ["src/run/program/run-program.ts", "src/run/load-tools.ts", "src/run/module-hooks.ts"],
    folders: [
      ["src/run", "Tools, attempts and the journal"],
      ["src/run/program", "Runs of programs"],
      ["src/run/world", "Probes, and the state compared with the world"],
    ],
  },
  kernel: {
    title: "the kernel",
    room: "src/kernel/",
    starts: [
      "src/kernel/core/step.ts",
      "src/kernel/shell/kernel.ts",
      "src/kernel/trace/checkpoint.ts",
      "src/kernel/trace/verify.ts",
    ],
    folders: [
      ["src/kernel", "Reasons, limits and digests"],
      ["src/kernel/core", "Decisions"],
      ["src/kernel/rules", "Built-in rules"],
      ["src/kernel/trace", "The trace"],
      ["src/kernel/values", "Values and amounts"],
      ["src/kernel/shell", "The shell between callers and the ledger"],
    ],
  },
} as const satisfies Readonly<Record<string, TrustedPart>>;

export function make(name: string): string {
  const maker = makers.get(name);
  if (maker === undefined) throw new Error(`nothing is known of the made part \`${name}\``);
  return maker();
}

const makers: ReadonlyMap<string, () => string> = new Map<string, () => string>([
  ["operators", operatorSections],
  ["error-index", errorIndex],
  ["limits", () => limitTable("src/ir/limits.ts", defaultLimits)],
  ["language-limits", () => limitTable("src/frontend/codes.ts", defaultFrontLimits)],
  ["trusted-parts", trustedParts],
  ...Object.entries(trusted).map(([name, part]) => [`trusted-${name}`, () => trustedFiles(part)] as const),
  ["plan-limits", () => limitTable("src/plan/limits.ts", defaultPlanLimits)],
  ["sentences", sentenceExamples],
  ["routes", routeTable],
  ["catalogue", catalogueTable],
]);

// ── operators ────────────────────────────────────────────────────────────────────────────────────────────

function operatorSections(): string {
  const groups: readonly (readonly [string, readonly Operator[]])[] = [
    ["Logic", logic],
    ["Numbers", arithmetic],
    ["Strings", strings],
    ["Patterns, paths and URLs", texts],
    ["Lists, and operators shared with strings", lists],
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
  FC30: "Plans: structure",
  FC31: "Plans: behavior",
  FC32: "Plans: with tool modules",
  FC33: "Plans: running",
  FC34: "Plans: optimizing and lowering",
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

function catalogueTable(): string {
  const rows = catalogue.flatMap(({ name, contracts }) =>
    contracts.map((one) => `| ${name} | \`${one.name}${one.params}\` | ${one.says} |`),
  );
  return ["| server | contract | means |", "|---|---|---|", ...rows].join("\n");
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
  return ["| limit | default | bounds |", "|---|---:|---|", ...rows].join("\n");
}

// ── the trusted base ─────────────────────────────────────────────────────────────────────────────────────

function trustedParts(): string {
  const rows = Object.values(trusted).map((part) => {
    const files = filesOf(part);
    const starts = part.starts.map((path) => `[${path.slice(part.room.length)}](../../${path})`);
    return `| ${part.title} | \`${part.room}\` | ${starts.join(", ")} | ${files.length} | ${sumOf(files)} |`;
  });
  return ["| part | room | entry points | files | lines |", "|---|---|---|---:|---:|", ...rows].join("\n");
}

function trustedFiles(part: TrustedPart): string {
  const files = filesOf(part);
  // What must be trusted must not be omitted because its folder is new.
  const listed = new Set(part.folders.map(([folder]) => folder));
  const unlisted = files.filter(({ path }) => !listed.has(posix.dirname(path)));
  if (unlisted.length > 0) throw new Error(`no heading for ${unlisted.map(({ path }) => path).join(", ")}`);
  const sections = part.folders.map(([folder, title]) => {
    const inFolder = files.filter(({ path }) => posix.dirname(path) === folder);
    const rows = inFolder.map(
      ({ path, text }) =>
        `| [${posix.basename(path)}](../../${path}) | ${rounded(linesOf(text))} | ${purposeOf(text)} |`,
    );
    return [
      `### ${title}: \`${folder}\`, about ${rounded(inFolder.reduce((sum, { text }) => sum + linesOf(text), 0))} lines`,
      "",
      "| file | lines | purpose |",
      "|---|---:|---|",
      ...rows,
    ].join("\n");
  });
  return [`About ${sumOf(files)} lines in ${files.length} files.`, ...sections].join("\n\n");
}

const filesOfParts = new Map<TrustedPart, readonly SourceFile[]>();

function filesOf(part: TrustedPart): readonly SourceFile[] {
  const known = filesOfParts.get(part);
  if (known !== undefined) return known;
  const files = new Map(
    readFiles((path) => path.startsWith(part.room) && !isTest(path)).map((file) => [file.path, file]),
  );
  const missing = part.starts.filter((path) => !files.has(path));
  if (missing.length > 0) throw new Error(`no entry point ${missing.join(", ")}`);
  const found = reachable(files, part.starts);
  filesOfParts.set(part, found);
  return found;
}

function sumOf(files: readonly SourceFile[]): number {
  return Math.round(files.reduce((sum, { text }) => sum + linesOf(text), 0) / 100) * 100;
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
