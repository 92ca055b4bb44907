/**
 * Axioms by the names that the specification of OWL 2 gives to their parts: `SubClassOf(…)`. The functional notation and
 * the one in XML both follow it part for part.
 */
import type { Literal } from "./literal.ts";
import { claimOf, iriOf, type Name, shortIri } from "./names.ts";
import type { EntityKind, Ontology } from "./ontology.ts";
import type { Axiom, ClassExpr, DataRange, Facet, Role } from "./owl.ts";

export type Part =
  | { readonly kind: "node"; readonly tag: string; readonly number?: bigint; readonly parts: readonly Part[] }
  | { readonly kind: "entity"; readonly entity: EntityKind | "Datatype"; readonly iri: Iri }
  /** Subject or target of an annotation. */
  | { readonly kind: "iri"; readonly iri: Iri }
  | { readonly kind: "literal"; readonly literal: Literal }
  | { readonly kind: "facet"; readonly facet: Iri; readonly literal: Literal }
  /** One list of several in a row. */
  | { readonly kind: "group"; readonly parts: readonly Part[] };

export interface Iri {
  readonly full: string;
  readonly short: string;
}

/** Prefixes that are not ours. */
export const namespaces = {
  owl: "http://www.w3.org/2002/07/owl#",
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  xsd: "http://www.w3.org/2001/XMLSchema#",
} as const;

/** `xsd:string` and the like. */
export function known(short: string): Iri {
  const [prefix = "", local = ""] = short.split(":");
  const found = Object.entries(namespaces).find(([one]) => one === prefix);
  if (found === undefined) throw new TypeError(`there is no prefix \`${prefix}\``);
  return { full: found[1] + local, short };
}

export function structureOf({ entities, annotations, axioms }: Ontology): Part[] {
  return [
    ...entities.map(({ kind, name }) => node("Declaration", entity(kind, name))),
    ...annotations.map(({ property, subject, text }) =>
      node(
        "AnnotationAssertion",
        typeof property === "string"
          ? { kind: "entity", entity: "AnnotationProperty", iri: known(property) }
          : entity("AnnotationProperty", property),
        { kind: "iri", iri: ours(subject) },
        { kind: "literal", literal: { datatype: "xsd:string", text } },
      ),
    ),
    ...axioms.map(({ axiom, guarantee }) => axiomPart(axiom, guarantee)),
  ];
}

export function ours(name: Name): Iri {
  return { full: iriOf(name), short: shortIri(name) };
}

function node(tag: string, ...parts: readonly Part[]): Part {
  return { kind: "node", tag, parts };
}

function entity(kind: EntityKind, name: Name): Part {
  return { kind: "entity", entity: kind, iri: ours(name) };
}

function axiomPart(axiom: Axiom, guarantee: Name | undefined): Part {
  const about =
    guarantee === undefined
      ? []
      : [node("Annotation", entity("AnnotationProperty", claimOf), { kind: "iri", iri: ours(guarantee) })];
  switch (axiom.kind) {
    case "subclass":
      return node("SubClassOf", ...about, classPart(axiom.sub), classPart(axiom.of));
    case "same":
      return node("EquivalentClasses", ...about, classPart(axiom.a), classPart(axiom.b));
    case "disjoint":
      return { kind: "node", tag: "DisjointClasses", parts: [...about, ...axiom.classes.map(classPart)] };
    case "key": {
      const properties = axiom.properties.map((name) => entity("DataProperty", name));
      const groups: Part[] = [
        { kind: "group", parts: [] },
        { kind: "group", parts: properties },
      ];
      return node("HasKey", ...about, classPart(axiom.of), ...groups);
    }
    case "domain":
    case "range": {
      const tag = axiom.kind === "domain" ? "ObjectPropertyDomain" : "ObjectPropertyRange";
      return node(tag, ...about, entity("ObjectProperty", axiom.role), classPart(axiom.of));
    }
  }
}

const cardinalities = {
  atLeast: "ObjectMinCardinality",
  atMost: "ObjectMaxCardinality",
  exactly: "ObjectExactCardinality",
  dataAtMost: "DataMaxCardinality",
  dataExactly: "DataExactCardinality",
} as const;

function classPart(expr: ClassExpr): Part {
  switch (expr.kind) {
    case "thing":
      return { kind: "entity", entity: "Class", iri: known("owl:Thing") };
    case "nothing":
      return { kind: "entity", entity: "Class", iri: known("owl:Nothing") };
    case "class":
      return entity("Class", expr.name);
    case "one":
      return node("ObjectOneOf", entity("NamedIndividual", expr.individual));
    case "not":
      return node("ObjectComplementOf", classPart(expr.of));
    case "and":
      return { kind: "node", tag: "ObjectIntersectionOf", parts: expr.parts.map(classPart) };
    case "or":
      return { kind: "node", tag: "ObjectUnionOf", parts: expr.parts.map(classPart) };
    case "some":
      return node("ObjectSomeValuesFrom", rolePart(expr.role), classPart(expr.of));
    case "only":
      return node("ObjectAllValuesFrom", rolePart(expr.role), classPart(expr.of));
    case "atLeast":
    case "atMost":
    case "exactly": {
      const parts = [rolePart(expr.role), classPart(expr.of)];
      return { kind: "node", tag: cardinalities[expr.kind], number: expr.number, parts };
    }
    case "dataSome":
      return node("DataSomeValuesFrom", entity("DataProperty", expr.property), rangePart(expr.range));
    case "dataOnly":
      return node("DataAllValuesFrom", entity("DataProperty", expr.property), rangePart(expr.range));
    case "dataAtMost":
    case "dataExactly": {
      const parts = [entity("DataProperty", expr.property)];
      return { kind: "node", tag: cardinalities[expr.kind], number: expr.number, parts };
    }
  }
}

function rolePart({ name, inverse }: Role): Part {
  const property = entity("ObjectProperty", name);
  return inverse ? node("ObjectInverseOf", property) : property;
}

export const facetNames: Readonly<Record<Facet, string>> = {
  "<": "xsd:maxExclusive",
  "<=": "xsd:maxInclusive",
  ">": "xsd:minExclusive",
  ">=": "xsd:minInclusive",
};

function rangePart(range: DataRange): Part {
  const datatype = (short: string): Part => ({ kind: "entity", entity: "Datatype", iri: known(short) });
  switch (range.kind) {
    case "literal":
      return datatype("rdfs:Literal");
    case "datatype":
      return datatype(range.datatype);
    case "values":
      return node("DataOneOf", ...range.values.map((literal): Part => ({ kind: "literal", literal })));
    case "bound": {
      const facet: Part = { kind: "facet", facet: known(facetNames[range.facet]), literal: range.bound };
      return node("DatatypeRestriction", datatype("owl:rational"), facet);
    }
    case "other":
      return node("DataComplementOf", rangePart(range.than));
  }
}
