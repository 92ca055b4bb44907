/**
 * Formulas as statements. What is said together is numbered as far as one can count along, and in brackets below that,
 * so that it is always clear what belongs to what.
 */
import { bool, type DistinctExpr, type Expr, isSubtype, type LetExpr, type OpExpr } from "../ir/index.ts";
import { steps } from "./automaton.ts";
import { counted } from "./count.ts";
import { perKey } from "./per-key.ts";
import { bracketed, chosen, filtered, knowingly, learnt } from "./predicate.ts";
import { quantified } from "./quantifier.ts";
import { relationOf } from "./relation.ts";
import { about, bindRow, bindThing, inline, plain, plural, type Scene, typeOf } from "./scene.ts";
import { bareCell, code, keyWords, operand, term } from "./term.ts";
import { joined, refer, say, type Text } from "./text.ts";

export interface Clause {
  readonly text: Text;
  /** True if it extends as far as it can, so that it needs brackets before something else. */
  readonly open: boolean;
}

/** `yes`: false for what must not be. */
export function clause(expr: Expr, scene: Scene, yes = true): Clause {
  switch (expr.kind) {
    case "bool":
      return closed(expr.value === yes ? "nothing is asked (this always holds)" : "this never holds");
    case "quantifier":
      return quantified(expr, scene, yes);
    case "perKey":
      return perKey(expr, scene, yes);
    case "distinct":
      return closed(distinct(expr, scene, yes));
    case "always": {
      const body = clause(expr.body, yes ? scene : inline(scene), yes);
      return {
        text: say`${yes ? "at every" : "at least at one"} moment of the run, ${body.text}`,
        open: true,
      };
    }
    case "precedes": {
      const [first, second] = [expr.first, expr.second].map((name) => referTo(name, scene));
      if (first === undefined || second === undefined) return coded(expr, scene, yes);
      return closed(say`${first} is ${yes ? "" : "not "}called before ${second}`);
    }
    case "automaton":
      return closed(steps(expr, scene, yes));
    case "let":
      return named(expr, scene, yes);
    case "op":
      return operation(expr, scene, yes);
    default:
      return atomic(expr, scene, yes) ?? coded(expr, scene, yes);
  }
}

const closed = (text: Text): Clause => ({ text, open: false });

function coded(expr: Expr, scene: Scene, yes: boolean): Clause {
  return closed(say`${code(expr, scene).text} ${yes ? "holds" : "does not hold"}`);
}

/** In brackets if it would run into what comes next. */
function part(expr: Expr, scene: Scene, yes = true): Text {
  const said = clause(expr, inline(scene), yes);
  return said.open ? bracketed(said) : said.text;
}

function referTo(name: string, { names }: Scene): Text | undefined {
  const binding = names.get(name);
  return binding?.kind === "row" ? refer(binding.row) : undefined;
}

// ── one comparison or test ───────────────────────────────────────────────────────────────────────────────

function atomic(expr: Expr, scene: Scene, yes: boolean): Clause | undefined {
  const number = counted(expr, scene, yes);
  if (number !== undefined) return closed(number);
  const relation = relationOf(expr, yes, scene, () => true);
  if (relation === undefined) return undefined;
  const { left, verb } = relation;
  if (left.kind === "cell" && left.at !== "initial" && scene.now === "each") {
    const moment = left.at === "final" ? "at the end, " : "";
    return closed(say`${moment}${bareCell(left, scene)} ${verb()}`);
  }
  return closed(say`${term(left, scene).text} ${verb()}`);
}

// ── statements of statements ─────────────────────────────────────────────────────────────────────────────

function operation(expr: OpExpr, scene: Scene, yes: boolean): Clause {
  const [a, b, c] = expr.args;
  switch (expr.op) {
    case "not":
      return a === undefined ? coded(expr, scene, yes) : clause(a, scene, !yes);
    case "and":
    case "or":
      return atomic(expr, scene, yes) ?? several(expr, scene, yes);
    case "implies":
      if (a === undefined || b === undefined) break;
      if (!yes)
        return closed(
          say`both [${clause(a, inline(scene)).text}] and [${clause(b, inline(learnt(scene, a, true)), false).text}]`,
        );
      return {
        text: say`if ${part(a, scene)}, then ${clause(b, learnt(scene, a, true)).text}`,
        open: true,
      };
    case "if":
      if (a === undefined || b === undefined || c === undefined) break;
      return {
        text: say`if ${part(a, scene)}, then ${part(b, learnt(scene, a, true), yes)}, otherwise ${part(c, learnt(scene, a, false), yes)}`,
        open: true,
      };
    case "==":
    case "!=":
      if (a === undefined || b === undefined) break;
      return equivalence(expr, a, b, scene, yes) ?? atomic(expr, scene, yes) ?? coded(expr, scene, yes);
  }
  return atomic(expr, scene, yes) ?? coded(expr, scene, yes);
}

/** `not (a and b)` is `not a or not b`: negation is said where it is easiest to understand. */
function several({ op, args }: OpExpr, scene: Scene, yes: boolean): Clause {
  const all = (op === "and") === yes;
  const parts = knowingly(args, op === "and", scene);
  const { number } = scene;
  const two = args.length === 2;
  if (number === undefined) {
    const said = parts.map((one) => bracketed(clause(one.expr, one.scene, yes)));
    if (!all) return closed(say`at least one of ${joined(said, ", ", " and ")}`);
    return closed(two ? say`both ${joined(said, " and ")}` : say`all of ${joined(said, ", ", " and ")}`);
  }
  const said = parts.map((one, i) => {
    const mark = `${number}${i + 1}`;
    return say`(${mark}) ${clause(one.expr, { ...one.scene, number: `${mark}.` }, yes).text}`;
  });
  const head = all ? (two ? "both of these hold" : "all of these hold") : "at least one of these holds";
  return { text: say`${head}: ${joined(said, "; ")}`, open: true };
}

/** Between statements, not values. */
function equivalence(expr: OpExpr, a: Expr, b: Expr, scene: Scene, yes: boolean): Clause | undefined {
  if (!isStatement(a, scene) && !isStatement(b, scene)) return undefined;
  const same = (expr.op === "==") === yes;
  for (const [constant, other] of [
    [a, b],
    [b, a],
  ] as const) {
    if (constant.kind === "bool") return clause(other, scene, constant.value === same);
  }
  const sides = [a, b].map((side) => bracketed(clause(side, inline(scene))));
  return closed(
    same ? say`${joined(sides, " if and only if ")}` : say`either ${joined(sides, " or ")}, but not both`,
  );
}

/** A truth that is not just looked up. */
function isStatement(expr: Expr, scene: Scene): boolean {
  if (expr.kind === "var" || expr.kind === "field" || expr.kind === "cell" || expr.kind === "bool")
    return false;
  if (expr.kind === "op" && (expr.op === "value" || expr.op === "orElse")) return false;
  const type = typeOf(scene, expr);
  return type !== undefined && isSubtype(type, bool);
}

function named({ name, value, body }: LetExpr, scene: Scene, yes: boolean): Clause {
  const { thing, inner } = bindThing(scene, name);
  const what = isStatement(value, scene) ? say`whether ${part(value, scene)}` : operand(value, scene);
  const said = clause(body, yes ? inner : inline(inner), yes);
  return { text: say`with ${refer(thing)} standing for ${what}, ${said.text}`, open: true };
}

function distinct({ over, key }: DistinctExpr, scene: Scene, yes: boolean): Text {
  const { row, inner } = bindRow(inline(plain(scene)), over);
  const rows = filtered(plural(over.in), row, over, inner);
  const what = keyWords(key, about(chosen(inner, over), row));
  return say`${yes ? "no two" : "at least two"} ${rows} have the same ${what}`;
}
