/** Common part of the OWL 2 notations: axioms, entities and annotations of a view, in one order. */
import { codeText } from "../explain/index.ts";
import { closures } from "./closure.ts";
import { xmlText } from "./literal.ts";
import {
  claimOf,
  closure,
  condition,
  hasEffect,
  hasRow,
  type Name,
  operation,
  reason,
  row,
  run,
  status,
  theRun,
} from "./names.ts";
import type { Axiom, ClassExpr } from "./owl.ts";
import { statedAs } from "./print-dl.ts";
import type { View } from "./view.ts";

export type EntityKind =
  | "Class"
  | "ObjectProperty"
  | "DataProperty"
  | "AnnotationProperty"
  | "NamedIndividual";

export interface Entity {
  readonly kind: EntityKind;
  readonly name: Name;
}

/** `rdfs:label`, `rdfs:comment`, or one of our own, on a call or on a guarantee. */
export interface Annotation {
  readonly property: Name | "rdfs:label" | "rdfs:comment";
  readonly subject: Name;
  readonly text: string;
}

export interface Ontology {
  readonly iri: string;
  readonly entities: readonly Entity[];
  readonly annotations: readonly Annotation[];
  readonly axioms: readonly { readonly axiom: Axiom; readonly guarantee?: Name }[];
}

export function ontologyOf(view: View): Ontology {
  const stated = view.sections.flatMap(({ axioms }) => axioms.map((axiom) => ({ axiom })));
  const claimed = view.guarantees.flatMap(({ axioms, name: guarantee }) =>
    axioms.map((axiom) => ({ axiom, guarantee })),
  );
  const axioms = [...stated, ...claimed];
  return {
    iri: `urn:foreclaim:${view.hash}`,
    entities: entitiesOf(axioms.map(({ axiom }) => axiom)),
    annotations: annotationsOf(view),
    axioms,
  };
}

function annotationsOf({ calls, guarantees }: View): Annotation[] {
  const found: Annotation[] = [];
  const note = (subject: Name, property: Annotation["property"], text: string) =>
    found.push({ property, subject, text: xmlText(text) });
  for (const { name, when } of calls) if (when !== undefined) note(name, condition, codeText(when));
  for (const guarantee of guarantees) {
    const { name } = guarantee;
    note(name, "rdfs:label", statedAs(guarantee));
    if (guarantee.sentence !== undefined) note(name, "rdfs:comment", guarantee.sentence);
    note(name, status, guarantee.status);
    for (const one of guarantee.closure) note(name, closure, closures[one]);
    for (const why of guarantee.reasons) note(name, reason, why);
  }
  return found;
}

/** In the order in which they are first spoken of. */
function entitiesOf(axioms: readonly Axiom[]): Entity[] {
  const found = new Map<string, Entity>();
  const note = (kind: EntityKind, name: Name) => found.set(`${kind} ${JSON.stringify(name)}`, { kind, name });
  for (const name of [run, operation, row]) note("Class", name);
  for (const name of [hasEffect, hasRow]) note("ObjectProperty", name);
  note("NamedIndividual", theRun);
  for (const name of [status, closure, reason, condition, claimOf]) note("AnnotationProperty", name);
  const visit = (expr: ClassExpr): void => {
    switch (expr.kind) {
      case "thing":
      case "nothing":
        return;
      case "class":
        note("Class", expr.name);
        return;
      case "one":
        note("NamedIndividual", expr.individual);
        return;
      case "and":
      case "or":
        expr.parts.forEach(visit);
        return;
      case "not":
        visit(expr.of);
        return;
      case "some":
      case "only":
      case "atLeast":
      case "atMost":
      case "exactly":
        note("ObjectProperty", expr.role.name);
        visit(expr.of);
        return;
      case "dataSome":
      case "dataOnly":
      case "dataAtMost":
      case "dataExactly":
        note("DataProperty", expr.property);
    }
  };
  for (const axiom of axioms) {
    switch (axiom.kind) {
      case "subclass":
        visit(axiom.sub);
        visit(axiom.of);
        break;
      case "same":
        visit(axiom.a);
        visit(axiom.b);
        break;
      case "disjoint":
        axiom.classes.forEach(visit);
        break;
      case "key":
        visit(axiom.of);
        for (const name of axiom.properties) note("DataProperty", name);
        break;
      case "domain":
      case "range":
        note("ObjectProperty", axiom.role);
        visit(axiom.of);
    }
  }
  return [...found.values()];
}
