/**
 * The house rules that a formatter and a type checker do not know, each a function from a file to its violations.
 * The directions between rooms are in scripts/rooms.mjs, because `npm run lint` checks them too.
 */

import { type Comment, parseSync, Visitor } from "oxc-parser";
import { isModule, isTest, lineAt, type SourceFile, type Violation } from "../../scripts/rooms.mjs";

export type Rule = (file: SourceFile) => readonly Violation[];

/** Maximum number of lines between a SAFETY comment and its cast. */
const SAFETY_REACH_LINES = 3;

export const kebabCase: Rule = ({ path }) =>
  isModule(path) && !path.split("/").every((part) => /^\.?[a-z0-9]+([-.][a-z0-9]+)*$/.test(part))
    ? [{ path, line: 1, message: "name files and folders in kebab-case" }]
    : [];

/** Casts and directives turn the type checker off, so each says why that is safe. Tests may cast freely. */
export const justifiedCasts: Rule = ({ path, text }) => {
  if (!isModule(path) || isTest(path)) return [];
  const { program, comments } = parseSync(path, text);
  const found: { offset: number; message: string }[] = [];
  new Visitor({
    TSAsExpression(node) {
      if (!isConst(node.typeAnnotation)) {
        found.push({ offset: node.typeAnnotation.start, message: "a cast needs a `SAFETY:` comment" });
      }
    },
    TSTypeAssertion(node) {
      found.push({ offset: node.start, message: "a cast needs a `SAFETY:` comment" });
    },
  }).visit(program);
  for (const { start, value } of comments) {
    if (/^[\s*/]*@ts-/.test(value))
      found.push({ offset: start, message: "a `@ts-` directive needs a `SAFETY:` comment" });
  }
  const safetyLines = comments.filter(saysSafety).map(({ end }) => lineAt(text, end));
  return found
    .map(({ offset, message }) => ({ path, line: lineAt(text, offset), message }))
    .filter(({ line }) => !safetyLines.some((at) => at <= line && line - at <= SAFETY_REACH_LINES));
};

/** `any` is never right: `unknown` says the same and is checked. */
export const noAny: Rule = ({ path, text }) => {
  if (!isModule(path)) return [];
  const violations: Violation[] = [];
  new Visitor({
    TSAnyKeyword: ({ start }) => {
      violations.push({ path, line: lineAt(text, start), message: "use `unknown` instead of `any`" });
    },
  }).visit(parseSync(path, text).program);
  return violations;
};

// The patterns below are written so that they do not match themselves.

export const nothingUnfinished: Rule = matching(
  /\b(?:TO[D]O|FIX[M]E|X[X]X)\b/,
  "finish it, or describe it where work is planned",
);

const switchedOff = matching(
  /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:only|skip|todo)\b/,
  "a test is switched off or alone switched on",
);
export const noTestSwitchedOff: Rule = (file) => (isTest(file.path) ? switchedOff(file) : []);

export const noMachinePath: Rule = matching(
  /(?<![\w.~-])\/(?:work|home|root)\//,
  "names a path that exists on one machine only",
);

export const noRegistryHost: Rule = matching(
  /\bregistry\.[\w-]+\.\w+|"resolved": "h[t]tp|^\s*registry\s*=/,
  "names a package registry",
);

/** npm leaves out what it could not find for other platforms, and `npm ci` then refuses the lock file there. */
export const completeLock: Rule = ({ path, text }) => {
  if (path !== "package-lock.json") return [];
  const { packages }: { packages: Record<string, { optionalDependencies?: Record<string, string> }> } =
    JSON.parse(text);
  const optional = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  return optional
    .filter((name) => !(`node_modules/${name}` in packages))
    .map((name) => ({ path, line: 1, message: `\`${name}\` is not locked; choose versions that have it` }));
};

/** A rule on single lines of any text file. */
function matching(pattern: RegExp, message: string): Rule {
  return ({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [{ path, line: index + 1, message }] : []));
}

function isConst(type: { readonly type: string; readonly typeName?: unknown }): boolean {
  const name = type.typeName;
  return typeof name === "object" && name !== null && "name" in name && name.name === "const";
}

function saysSafety({ value }: Comment): boolean {
  return value.includes("SAFETY:");
}
