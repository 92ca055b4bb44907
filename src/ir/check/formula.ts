/** The types of formulas and of state, and where they may stand. Part of what must be trusted. */
import { aggregateEntry, needsDefault } from "../aggregates.ts";
import type { Trail } from "../diagnostic.ts";
import type {
  AggregateExpr,
  CellExpr,
  Expr,
  PerKeyExpr,
  Relation,
  Selection,
  TraceExpr,
} from "../document.ts";
import { labelRowType } from "../label-row.ts";
import { printType } from "../text/printer.ts";
import { bool, int, isSubtype, join, never, optionOf, real, recordOf, type Type } from "../type.ts";
import { inferAutomaton } from "./automaton.ts";
import { expect, infer, type Place } from "./expr.ts";
import { carried, inferMayRead, isSource } from "./provenance.ts";
import type { Binding } from "./scope.ts";

export function inferTrace(place: Place, expr: CellExpr | TraceExpr, trail: Trail): Type | undefined {
  const { context } = place;
  if (expr.kind === "cell") return inferCell(place, expr, trail);
  if (!mayLookAtTrace(place, expr, trail)) return undefined;
  switch (expr.kind) {
    case "quantifier":
      return select(place, expr.over, trail.at("over"), (inner) =>
        expect(inner, expr.body, bool, trail.at("body"), "what is quantified") ? bool : undefined,
      );
    case "aggregate":
      return inferAggregate(place, expr, trail);
    case "perKey":
      return inferPerKey(place, expr, trail);
    case "distinct":
      if (expr.over.in.kind === "cells") {
        context.problem(
          "FC1315",
          trail,
          "the keys of a fluent are distinct anyway, and its values have no end",
        );
        return undefined;
      }
      return select(
        place,
        expr.over,
        trail.at("over"),
        (inner) => infer(inner, expr.key, trail.at("key")) && bool,
      );
    case "always":
      return expect({ ...place, view: "always" }, expr.body, bool, trail.at("body"), "what holds always")
        ? bool
        : undefined;
    case "precedes": {
      const first = callVariable(place, expr.first, trail.at("first"));
      const second = callVariable(place, expr.second, trail.at("second"));
      return first && second && bool;
    }
    case "result":
      return inferResult(place, expr.call, trail);
    case "flows": {
      const value = carried(place, expr.value, trail.at("value"));
      return isSource(context, expr.from, trail.at("from")) && value ? bool : undefined;
    }
    case "influenced": {
      const call = callVariable(place, expr.call, trail.at("call"));
      return isSource(context, expr.from, trail.at("from")) && call ? bool : undefined;
    }
    case "mayRead":
      return inferMayRead(place, expr, trail);
    case "automaton":
      return inferAutomaton(place, expr, trail);
  }
}

function mayLookAtTrace({ context, view }: Place, expr: TraceExpr, trail: Trail): boolean {
  if (view === "values" || view === "state") {
    context.problem("FC1309", trail, "only a guarantee can describe calls and states of the whole run");
    return false;
  }
  const overCells = "over" in expr && expr.over.in.kind === "cells";
  if (view === "always" && !overCells) {
    context.problem(
      "FC1312",
      trail,
      "below `always` a formula is about one state, not about calls",
      "move it out of the `always`",
    );
    return false;
  }
  return true;
}

function inferCell(place: Place, expr: CellExpr, trail: Trail): Type | undefined {
  const { context } = place;
  checkMoment(place, expr.at, trail);
  const fluent = context.fluent(expr.fluent, trail.at("fluent"));
  if (fluent === undefined) {
    infer(place, expr.key, trail.at("key"));
    return undefined;
  }
  return expect(place, expr.key, fluent.key, trail.at("key"), `the key of \`${fluent.name}\``)
    ? fluent.value
    : undefined;
}

/** `now` is a state before a call or below `always`; `initial` and `final` are the ends of a whole run. */
function checkMoment({ context, view }: Place, at: CellExpr["at"], trail: Trail): void {
  const allowed = { values: "", state: "now", trace: "initial final", always: "now initial" }[view].split(
    " ",
  );
  if (allowed.includes(at)) return;
  const help = {
    values: "only `requires` and `sets` of a tool and guarantees read fluents",
    state: "write `now`, the state before the call",
    trace: "write `initial` or `final`, or stand it below `always`",
    always: "below `always` write `now`, each state in turn",
  }[view];
  context.problem("FC1314", trail, `\`${at}\` cannot be read here`, help);
}

// ── relations ────────────────────────────────────────────────────────────────────────────────────────────

/** Checks the relation and its condition, and then `body` with the row bound. */
function select(
  place: Place,
  selection: Selection,
  trail: Trail,
  body: (inner: Place) => Type | undefined,
): Type | undefined {
  const { context, scope } = place;
  const row = rowOf(place, selection.in, trail.at("in"));
  if (row === undefined) return undefined;
  return scope.inside(() => {
    context.declare(scope, selection.var, row, trail.at("var"));
    const { where } = selection;
    const filtered = where === undefined || expect(place, where, bool, trail.at("where"), "the condition");
    const type = body(place);
    return filtered ? type : undefined;
  });
}

export function rowOf(place: Place, relation: Relation, trail: Trail): Binding | undefined {
  const { context } = place;
  switch (relation.kind) {
    case "calls": {
      const tool = context.tool(relation.tool, trail.at("tool"));
      return tool && { type: recordOf(tool.params), calls: [tool] };
    }
    case "label": {
      const tools = context.label(relation.label, trail.at("label"));
      return tools && { type: labelRowType(tools), calls: tools };
    }
    case "rows": {
      const tool = context.tool(relation.tool, trail.at("tool"));
      if (tool === undefined) return undefined;
      if (tool.result?.kind === "list") return { type: tool.result.element };
      const returns = tool.result === undefined ? "nothing" : `\`${printType(tool.result)}\``;
      context.problem(
        "FC1301",
        trail,
        `\`${tool.name}\` has no rows, because it returns ${returns}`,
        "only a tool that returns a list has rows",
      );
      return undefined;
    }
    case "cells": {
      checkMoment(place, relation.at, trail);
      const fluent = context.fluent(relation.fluent, trail.at("fluent"));
      if (fluent === undefined) return undefined;
      return {
        type: recordOf([
          { name: "key", type: fluent.key },
          { name: "value", type: fluent.value },
        ]),
      };
    }
  }
}

function callVariable({ context, scope }: Place, name: string, trail: Trail): Binding | undefined {
  const binding = scope.get(name);
  if (binding?.calls !== undefined) return binding;
  if (binding === undefined) context.unknown("FC1201", "name", name, scope.names(), trail);
  else
    context.problem(
      "FC1218",
      trail,
      `\`${name}\` does not stand for a call`,
      "bind it with `forall` or `exists` over a tool or a label",
    );
  return undefined;
}

function inferResult(place: Place, name: string, trail: Trail): Type | undefined {
  const { context } = place;
  const binding = callVariable(place, name, trail.at("call"));
  if (binding?.calls === undefined) return undefined;
  let result: Type | undefined = never;
  for (const tool of binding.calls) {
    if (tool.result === undefined) {
      context.problem("FC1307", trail, `\`${tool.name}\` returns nothing, so its calls have no result`);
      return undefined;
    }
    result = result && join(result, tool.result);
  }
  if (result !== undefined) return optionOf(result);
  context.problem("FC1304", trail, "the tools with this label return values of different types");
  return undefined;
}

// ── aggregates ───────────────────────────────────────────────────────────────────────────────────────────

function inferAggregate(place: Place, expr: AggregateExpr, trail: Trail): Type | undefined {
  if (!isComplete(place, expr, trail)) return undefined;
  const { value, otherwise } = expr;
  const rows = select(place, expr.over, trail.at("over"), (inner) =>
    numeric(inner, value, trail.at("value")),
  );
  // The value of no rows cannot depend on a row, so it is looked at where none is bound.
  const none = numeric(place, otherwise, trail.at("otherwise"));
  return rows && none && (isSubtype(rows, int) && isSubtype(none, int) ? int : real);
}

/** Returns true if the expression has exactly the parts that its aggregate needs. */
function isComplete({ context }: Place, expr: AggregateExpr | PerKeyExpr, trail: Trail): boolean {
  const { aggregate } = expr;
  const otherwise = expr.kind === "aggregate" && expr.otherwise !== undefined;
  if (!aggregateEntry(aggregate).hasValue) {
    if (expr.value === undefined && !otherwise) return true;
    context.problem("FC1315", trail, `\`${aggregate}\` takes no value; rows are chosen with \`where\``);
    return false;
  }
  if (expr.over.in.kind === "cells") {
    const message = `\`${aggregate}\` over a fluent has no end, since it has a value at every key`;
    context.problem("FC1315", trail, message, "use `count`, `forall` or `exists`");
    return false;
  }
  const hasDefault = expr.kind === "aggregate" && needsDefault(aggregate);
  if (expr.value !== undefined && otherwise === hasDefault) return true;
  const form = hasDefault ? `${aggregate}(x in … : x.amount else 0)` : `${aggregate}(x in … : x.amount)`;
  context.problem("FC1315", trail, `\`${aggregate}\` is incomplete here`, `write \`${form}\``);
  return false;
}

/** The type of a number, or of what is not there. */
function numeric(place: Place, expr: Expr | undefined, trail: Trail): Type | undefined {
  if (expr === undefined) return int;
  const type = infer(place, expr, trail);
  if (type === undefined || isSubtype(type, real)) return type;
  place.context.problem(
    "FC1301",
    trail,
    `only numbers can be added up or compared here, and this is \`${printType(type)}\``,
  );
  return undefined;
}

function inferPerKey(place: Place, expr: PerKeyExpr, trail: Trail): Type | undefined {
  const { context, scope } = place;
  if (expr.over.in.kind === "cells") {
    context.problem(
      "FC1315",
      trail,
      "a fluent is already keyed; an aggregate for each key speaks of calls or rows",
    );
    return undefined;
  }
  if (!isComplete(place, expr, trail)) return undefined;
  const number = select(place, expr.over, trail.at("over"), (inner) => {
    const key = infer(inner, expr.key, trail.at("key"));
    const type = numeric(inner, expr.value, trail.at("value"));
    return key && type && (isSubtype(type, int) ? int : real);
  });
  if (number === undefined) return undefined;
  return scope.inside(() => {
    context.declare(scope, expr.name, { type: number }, trail.at("name"));
    return expect(place, expr.body, bool, trail.at("body"), "what is said of each key") ? bool : undefined;
  });
}
