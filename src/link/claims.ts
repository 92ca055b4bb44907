/**
 * Checks the declarations of tools and fluents in a document against the tool modules. A document may omit them, and
 * must otherwise repeat the modules to the last clause: its own declarations are never believed.
 */
import {
  builtinTools,
  closest,
  type Document,
  type Expr,
  type Fluent,
  type Path,
  printExpr,
  printName,
  type Tool,
} from "../ir/index.ts";
import type { LinkProblem } from "./codes.ts";
import { firstDifference } from "./difference.ts";
import type { TrustedLayer } from "./layer.ts";

export function claimProblems(document: Document, layer: TrustedLayer): LinkProblem[] {
  return [
    ...document.fluents.flatMap((one, i) => fluentProblems(one, ["fluents", i], layer)),
    ...document.tools.flatMap((one, i) => toolProblems(one, ["tools", i], layer)),
    ...twice(document.fluents, "fluents"),
    ...twice(document.tools, "tools"),
  ];
}

export function unknownTool(name: string, path: Path, layer: TrustedLayer): LinkProblem {
  const near = closest(name, layer.tools.keys());
  return {
    code: "FC2601",
    message: `no tool module declares the tool ${quoted(name)}`,
    path,
    help: near === undefined ? "`foreclaim tools` lists those there are" : `did you mean ${quoted(near)}?`,
  };
}

export function unknownFluent(name: string, path: Path, layer: TrustedLayer): LinkProblem {
  const near = closest(name, layer.fluents.keys());
  return {
    code: "FC2603",
    message: `no tool module declares the fluent ${quoted(name)}`,
    path,
    help: near === undefined ? "`foreclaim tools` lists those there are" : `did you mean ${quoted(near)}?`,
  };
}

export function quoted(name: string): string {
  return `\`${printName(name)}\``;
}

function twice(all: readonly { readonly name: string }[], list: "fluents" | "tools"): LinkProblem[] {
  const seen = new Set<string>();
  return all.flatMap(({ name }, i): LinkProblem[] => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const [code, word] = list === "tools" ? (["FC1206", "tool"] as const) : (["FC1207", "fluent"] as const);
    return [{ code, message: `the ${word} ${quoted(name)} is declared twice`, path: [list, i, "name"] }];
  });
}

function fluentProblems(claimed: Fluent, path: Path, layer: TrustedLayer): LinkProblem[] {
  const trusted = layer.fluents.get(claimed.name)?.value;
  if (trusted === undefined) return [unknownFluent(claimed.name, [...path, "name"], layer)];
  const difference = firstDifference(claimed, trusted);
  if (difference === undefined) return [];
  const { initial } = trusted;
  const isInitial =
    difference[0] === "initial" || (claimed.initial === undefined) !== (initial === undefined);
  const said = initial === undefined ? "unknown" : printExpr(initial);
  return [
    {
      code: "FC2603",
      message: isInitial
        ? `the initial value of ${quoted(claimed.name)} is not what its tool module declares`
        : `the type of ${quoted(claimed.name)} is not what its tool module declares`,
      path: [...path, ...difference],
      help: isInitial ? `write \`= ${said}\`, or leave the declaration out` : "leave the declaration out",
    },
  ];
}

type Part = Exclude<keyof Tool, "name">;

/** Each part of a tool, and what it is called. */
const parts: Readonly<Record<Part, string>> = {
  params: "the parameters",
  result: "the result",
  labels: "`labels`",
  requires: "`requires`",
  ensures: "`ensures`",
  sets: "`sets`",
  cost: "`cost`",
  reads: "`reads`",
  idempotent: "`idempotent`",
  untrusted: "`untrusted`",
  undoable: "`undoable`",
  stores: "`stores`",
  endorses: "`endorses`",
  readers: "`readers`",
};

function toolProblems(claimed: Tool, path: Path, layer: TrustedLayer): LinkProblem[] {
  const trusted = builtinTools.get(claimed.name) ?? layer.tools.get(claimed.name)?.value;
  if (trusted === undefined) return [unknownTool(claimed.name, [...path, "name"], layer)];
  const known = new Set<string>(Object.keys(parts));
  // Whatever a tool may say one day, it is looked at.
  const names = new Set([...known, ...Object.keys(claimed), ...Object.keys(trusted)]);
  return [...names].flatMap((name): LinkProblem[] => {
    const [mine, theirs]: readonly unknown[] = [Reflect.get(claimed, name), Reflect.get(trusted, name)];
    const difference = firstDifference(mine, theirs);
    if (difference === undefined) return [];
    const word = isPart(name) ? parts[name] : `\`${name}\``;
    const isThere = mine !== undefined && !(Array.isArray(mine) && mine.length === 0);
    return [
      {
        code: "FC2602",
        message: `${word} of ${quoted(claimed.name)} ${word.endsWith("s") && !word.startsWith("`") ? "are" : "is"} not what its tool module declares`,
        path: isThere ? [...path, name, ...difference] : [...path, "name"],
        help: helpFor(name, trusted),
      },
    ];
  });
}

function isPart(name: string): name is Part {
  return Object.hasOwn(parts, name);
}

function helpFor(name: string, trusted: Tool): string {
  const out = "leave the declaration out";
  const clauses = (word: string, all: readonly Expr[]) =>
    all.length === 0
      ? `its module has no \`${word}\`; or ${out}`
      : `write ${all.map((one) => `\`${word} ${printExpr(one)}\``).join(", ")}, or ${out}`;
  if (name === "requires") return clauses("requires", trusted.requires);
  if (name === "ensures") return clauses("ensures", trusted.ensures);
  if (name === "cost") return clauses("cost", trusted.cost === undefined ? [] : [trusted.cost]);
  return `${out}: tools are what their modules say`;
}
