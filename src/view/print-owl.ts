/** Views as OWL 2 ontologies in the functional notation and in XML. */
import type { Literal } from "./literal.ts";
import { prefixOf, spaces } from "./names.ts";
import type { Ontology } from "./ontology.ts";
import { type Iri, known, namespaces, type Part, structureOf } from "./structure.ts";

export function printFunctional(ontology: Ontology): string {
  const lines = [
    ...prefixes().map(([prefix, iri]) => `Prefix(${prefix}:=<${iri}>)`),
    `Ontology(<${ontology.iri}>`,
    ...structureOf(ontology).map(functional),
    ")",
  ];
  return `${lines.join("\n")}\n`;
}

/** Those of OWL, and one for each of our spaces. */
export function prefixes(): readonly (readonly [string, string])[] {
  return [...Object.entries(namespaces), ...spaces.map((space) => [space, prefixOf(space)] as const)];
}

function functional(part: Part): string {
  switch (part.kind) {
    case "node": {
      const number = part.number === undefined ? [] : [part.number.toString()];
      const inner = part.tag === "Declaration" ? declared : functional;
      return `${part.tag}(${[...number, ...part.parts.map(inner)].join(" ")})`;
    }
    case "entity":
    case "iri":
      return part.iri.short;
    case "literal":
      return functionalLiteral(part.literal);
    case "facet":
      return `${part.facet.short} ${functionalLiteral(part.literal)}`;
    case "group":
      return `(${part.parts.map(functional).join(" ")})`;
  }
}

/** Only there it is said what kind of thing a name is of. */
function declared(part: Part): string {
  return part.kind === "entity" ? `${part.entity}(${part.iri.short})` : functional(part);
}

/** Only these two are written with a backslash; everything else stands as it is, ends of lines too. */
function functionalLiteral({ text, datatype }: Literal): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"^^${datatype}`;
}

// ── XML ──────────────────────────────────────────────────────────────────────────────────────────────────

export function printXml(ontology: Ontology): string {
  const iri = escaped(ontology.iri);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Ontology xmlns="${namespaces.owl}" ontologyIRI="${iri}">`,
    ...structureOf(ontology).map((part) => `  ${xml(part)}`),
    "</Ontology>",
  ];
  return `${lines.join("\n")}\n`;
}

function xml(part: Part): string {
  switch (part.kind) {
    case "node": {
      const number = part.number === undefined ? "" : ` cardinality="${part.number}"`;
      return `<${part.tag}${number}>${part.parts.map(xml).join("")}</${part.tag}>`;
    }
    case "entity":
      return `<${part.entity} IRI="${escaped(part.iri.full)}"/>`;
    case "iri":
      return iriElement(part.iri);
    case "literal":
      return xmlLiteral(part.literal);
    case "facet":
      return `<FacetRestriction facet="${escaped(part.facet.full)}">${xmlLiteral(part.literal)}</FacetRestriction>`;
    case "group":
      return part.parts.map(xml).join("");
  }
}

function iriElement(iri: Iri): string {
  return `<IRI>${escaped(iri.full)}</IRI>`;
}

function xmlLiteral({ text, datatype }: Literal): string {
  return `<Literal datatypeIRI="${escaped(known(datatype).full)}">${escaped(text)}</Literal>`;
}

/** Readers take ends of lines for others unless they are written by their numbers. */
function escaped(text: string): string {
  return text.replace(/[&<>"\r\n\t]/g, (char) => `&#x${char.charCodeAt(0).toString(16).toUpperCase()};`);
}
