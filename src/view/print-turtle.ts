/** Views as OWL 2 ontologies in Turtle, by the mapping of OWL 2 to RDF graphs. */
import type { Literal } from "./literal.ts";
import { claimOf, type Name, shortIri } from "./names.ts";
import type { EntityKind, Ontology } from "./ontology.ts";
import type { Axiom, ClassExpr, DataRange, Role } from "./owl.ts";
import { prefixes } from "./print-owl.ts";
import { facetNames } from "./structure.ts";

export function printTurtle(ontology: Ontology): string {
  const writer = new Writer();
  const lines = [
    ...prefixes().map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .`),
    `<${ontology.iri}> a owl:Ontology .`,
    ...ontology.entities.map(({ kind, name }) => `${shortIri(name)} a ${entityTypes[kind]} .`),
    ...ontology.annotations.map(({ property, subject, text }) => {
      const predicate = typeof property === "string" ? property : shortIri(property);
      return `${shortIri(subject)} ${predicate} ${literal({ datatype: "xsd:string", text })} .`;
    }),
    ...ontology.axioms.map(({ axiom, guarantee }) => writer.axiom(axiom, guarantee)),
  ];
  return `${lines.join("\n")}\n`;
}

const entityTypes: Readonly<Record<EntityKind, string>> = {
  Class: "owl:Class",
  ObjectProperty: "owl:ObjectProperty",
  DataProperty: "owl:DatatypeProperty",
  AnnotationProperty: "owl:AnnotationProperty",
  NamedIndividual: "owl:NamedIndividual",
};

class Writer {
  #nodes = 0;

  axiom(axiom: Axiom, guarantee: Name | undefined): string {
    if (axiom.kind === "disjoint") return disjoint(axiom.classes);
    const { subject, predicate, object } = tripleOf(axiom);
    if (guarantee === undefined) return `${subject} ${predicate} ${object} .`;
    // What is annotated is the triple, so its ends need names of their own where they have none.
    const [source, target] = [this.#name(subject), this.#name(object)];
    return [
      ...source.stated,
      ...target.stated,
      `${source.name} ${predicate} ${target.name} .`,
      `[] a owl:Axiom ; owl:annotatedSource ${source.name} ; owl:annotatedProperty ${predicate} ; owl:annotatedTarget ${target.name} ; ${shortIri(claimOf)} ${shortIri(guarantee)} .`,
    ].join("\n");
  }

  #name(node: string): { readonly name: string; readonly stated: readonly string[] } {
    const name = `_:n${this.#nodes + 1}`;
    if (node.startsWith("[ ")) {
      this.#nodes++;
      return { name, stated: [`${name} ${node.slice(2, -2)} .`] };
    }
    if (node.startsWith("( ")) {
      this.#nodes++;
      const [first = "", ...rest] = node.slice(2, -2).split(" ");
      const tail = rest.length === 0 ? "rdf:nil" : `( ${rest.join(" ")} )`;
      return { name, stated: [`${name} rdf:first ${first} ; rdf:rest ${tail} .`] };
    }
    return { name: node, stated: [] };
  }
}

function tripleOf(axiom: Exclude<Axiom, { readonly kind: "disjoint" }>): {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
} {
  switch (axiom.kind) {
    case "subclass":
      return { subject: classNode(axiom.sub), predicate: "rdfs:subClassOf", object: classNode(axiom.of) };
    case "same":
      return { subject: classNode(axiom.a), predicate: "owl:equivalentClass", object: classNode(axiom.b) };
    case "key":
      return {
        subject: classNode(axiom.of),
        predicate: "owl:hasKey",
        object: list(axiom.properties.map(shortIri)),
      };
    case "domain":
    case "range":
      return { subject: shortIri(axiom.role), predicate: `rdfs:${axiom.kind}`, object: classNode(axiom.of) };
  }
}

function disjoint(classes: readonly ClassExpr[]): string {
  const nodes = classes.map(classNode);
  const [first = "", second = ""] = nodes;
  if (nodes.length === 2) return `${first} owl:disjointWith ${second} .`;
  return `[] a owl:AllDisjointClasses ; owl:members ${list(nodes)} .`;
}

function classNode(expr: ClassExpr): string {
  const of = (property: string, object: string) => `[ a owl:Class ; ${property} ${object} ]`;
  const restriction = (property: string, ...said: readonly string[]) =>
    `[ a owl:Restriction ; owl:onProperty ${property} ; ${said.join(" ; ")} ]`;
  const number = (value: bigint) => `"${value}"^^xsd:nonNegativeInteger`;
  switch (expr.kind) {
    case "thing":
      return "owl:Thing";
    case "nothing":
      return "owl:Nothing";
    case "class":
      return shortIri(expr.name);
    case "one":
      return of("owl:oneOf", list([shortIri(expr.individual)]));
    case "not":
      return of("owl:complementOf", classNode(expr.of));
    case "and":
      return of("owl:intersectionOf", list(expr.parts.map(classNode)));
    case "or":
      return of("owl:unionOf", list(expr.parts.map(classNode)));
    case "some":
      return restriction(roleNode(expr.role), `owl:someValuesFrom ${classNode(expr.of)}`);
    case "only":
      return restriction(roleNode(expr.role), `owl:allValuesFrom ${classNode(expr.of)}`);
    case "atLeast":
    case "atMost":
    case "exactly": {
      const which = { atLeast: "min", atMost: "max", exactly: "q" }[expr.kind];
      const property = which === "q" ? "owl:qualifiedCardinality" : `owl:${which}QualifiedCardinality`;
      const said = [`${property} ${number(expr.number)}`, `owl:onClass ${classNode(expr.of)}`];
      return restriction(roleNode(expr.role), ...said);
    }
    case "dataSome":
      return restriction(shortIri(expr.property), `owl:someValuesFrom ${rangeNode(expr.range)}`);
    case "dataOnly":
      return restriction(shortIri(expr.property), `owl:allValuesFrom ${rangeNode(expr.range)}`);
    case "dataAtMost":
      return restriction(shortIri(expr.property), `owl:maxCardinality ${number(expr.number)}`);
    case "dataExactly":
      return restriction(shortIri(expr.property), `owl:cardinality ${number(expr.number)}`);
  }
}

function roleNode({ name, inverse }: Role): string {
  return inverse ? `[ owl:inverseOf ${shortIri(name)} ]` : shortIri(name);
}

function rangeNode(range: DataRange): string {
  switch (range.kind) {
    case "literal":
      return "rdfs:Literal";
    case "datatype":
      return range.datatype;
    case "values":
      return `[ a rdfs:Datatype ; owl:oneOf ${list(range.values.map(literal))} ]`;
    case "bound": {
      const facet = `[ ${facetNames[range.facet]} ${literal(range.bound)} ]`;
      return `[ a rdfs:Datatype ; owl:onDatatype owl:rational ; owl:withRestrictions ${list([facet])} ]`;
    }
    case "other":
      return `[ a rdfs:Datatype ; owl:datatypeComplementOf ${rangeNode(range.than)} ]`;
  }
}

function list(items: readonly string[]): string {
  return items.length === 0 ? "()" : `( ${items.join(" ")} )`;
}

/** With escapes for everything that ends a string or a line. */
function literal({ text, datatype }: Literal): string {
  return `"${text.replace(/["\\\n\r]/g, (char) => escapes[char] ?? char)}"^^${datatype}`;
}

const escapes: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r" };
