/** The arguments of a stated contract, held against its parameters: as the arguments of a call would be. */
import type { CompiledContract } from "../frontend/index.ts";
import {
  check,
  type Diagnostic,
  type Expr,
  type Failed,
  type Field,
  type Guarantee,
  isConstant,
  type Path,
  printType,
  type Result,
} from "../ir/index.ts";
import { quoted } from "./claims.ts";
import type { LinkProblem } from "./codes.ts";

export type Given = Result<readonly (Expr | undefined)[], Failed<LinkProblem>>;

/** The value of each parameter that is given; undefined for one that is omitted with `none`. */
export function givenTo({ name, params }: CompiledContract, { args }: Guarantee, path: Path): Given {
  const wrong = (message: string, at: Path, help?: string): Given => ({
    ok: false,
    problems: [{ code: "FC2605", message, path: at, ...(help === undefined ? {} : { help }) }],
  });
  const takes = params.length === 0 ? "it takes none" : `it takes ${params.map(fieldText).join(", ")}`;
  if (args.length > params.length) {
    const message = `${quoted(name)} takes ${params.length} arguments and is given ${args.length}`;
    return wrong(message, [...path, "args", params.length], takes);
  }
  const missing = params.slice(args.length).find(({ optional }) => optional !== true);
  if (missing !== undefined)
    return wrong(`${quoted(name)} needs the argument \`${missing.name}\``, path, takes);
  const problems: LinkProblem[] = [];
  const value = args.map((arg, i): Expr | undefined => {
    const param = params[i];
    const at = [...path, "args", i];
    if (param === undefined || !isConstant(arg)) {
      problems.push({ code: "FC2605", message: "the argument of a guarantee must be a constant", path: at });
      return undefined;
    }
    const found = fitted(arg, param);
    if (found.kind !== "wrong") return found.kind === "absent" ? undefined : found.value;
    const why = found.problem;
    problems.push({
      code: "FC2605",
      message: `in ${quoted(name)}, ${why.message}`,
      path: [...at, ...why.path.slice(placeOfArgument)],
      help: takes,
    });
    return undefined;
  });
  return problems.length === 0 ? { ok: true, value } : { ok: false, problems };
}

type Fitted =
  | { readonly kind: "given"; readonly value: Expr }
  | { readonly kind: "absent" }
  | { readonly kind: "wrong"; readonly problem: Diagnostic };

/** An optional parameter takes a value, or an option: both are written by front ends. */
function fitted(arg: Expr, param: Field): Fitted {
  const plain = mismatch(arg, param, false);
  if (plain === undefined) return { kind: "given", value: arg };
  if (param.optional !== true || mismatch(arg, param, true) !== undefined)
    return { kind: "wrong", problem: plain };
  if (arg.kind === "none") return { kind: "absent" };
  const inside = arg.kind === "op" ? arg.args[0] : undefined;
  return inside === undefined ? { kind: "wrong", problem: plain } : { kind: "given", value: inside };
}

/** `program body 0 args 0 value`. */
const placeOfArgument = 6;

/** Asked of the checker, so that there is one answer to what is of which type. */
function mismatch(value: Expr, param: Field, asOption: boolean): Diagnostic | undefined {
  const argument = asOption
    ? ({ name: param.name, value, optional: true } as const)
    : { name: param.name, value };
  const found = check({
    effectIr: 1,
    fluents: [],
    tools: [{ name: "contract", params: [param], labels: [], requires: [], ensures: [], sets: [] }],
    program: { inputs: [], body: [{ kind: "call", id: "c1", tool: "contract", args: [argument] }] },
    guarantees: [],
  });
  return found.ok ? undefined : found.problems[0];
}

function fieldText({ name, type, optional }: Field): string {
  return `\`${name}${optional === true ? "?" : ""}: ${printType(type)}\``;
}
