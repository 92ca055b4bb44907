/**
 * Axioms out of an RDF graph, by the mapping that OWL 2 defines, written in the functional notation with whole IRIs. It is
 * what shows that the Turtle of a view says what its functional notation says.
 */
import { Parser, type Quad, type Term } from "n3";

const owl = "http://www.w3.org/2002/07/owl#";
const rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const rdfs = "http://www.w3.org/2000/01/rdf-schema#";
const claimOf = "urn:foreclaim:view:claimOf";

export class Graph {
  readonly quads: readonly Quad[];
  readonly #of = new Map<string, Quad[]>();

  constructor(turtle: string) {
    this.quads = new Parser({ format: "text/turtle" }).parse(turtle);
    for (const quad of this.quads) {
      const key = quad.subject.value;
      this.#of.set(key, [...(this.#of.get(key) ?? []), quad]);
    }
  }

  /** Every axiom, with its annotation, and every declaration and annotation. */
  axioms(): string[] {
    // A triple that several say is one in the graph, with the annotations of all of them.
    const said = new Map<string, Quad[]>();
    for (const quad of this.quads) {
      const key = [quad.subject, quad.predicate, quad.object]
        .map(({ value }) => JSON.stringify(value))
        .join();
      said.set(key, [...(said.get(key) ?? []), quad]);
    }
    const found = [...said.values()].flatMap((times) => {
      const [quad] = times;
      if (quad === undefined) return [];
      const notes = this.#annotations(quad);
      const all = [...notes, ...Array.from({ length: times.length - notes.length }, () => "")];
      return all.flatMap((note) => this.#axiom(quad, note) ?? []);
    });
    return found.sort();
  }

  #axiom({ subject, predicate, object }: Quad, about: string): string | undefined {
    switch (predicate.value) {
      case `${rdfs}subClassOf`:
        return `SubClassOf(${about}${this.#class(subject)} ${this.#class(object)})`;
      case `${owl}equivalentClass`:
        return `EquivalentClasses(${about}${this.#class(subject)} ${this.#class(object)})`;
      case `${owl}disjointWith`:
        return `DisjointClasses(${this.#class(subject)} ${this.#class(object)})`;
      case `${owl}members`:
        return `DisjointClasses(${this.#list(object, (one) => this.#class(one))})`;
      case `${owl}hasKey`:
        return `HasKey(${about}${this.#class(subject)} () (${this.#list(object, iri)}))`;
      case `${rdfs}domain`:
        return `ObjectPropertyDomain(${iri(subject)} ${this.#class(object)})`;
      case `${rdfs}range`:
        return `ObjectPropertyRange(${iri(subject)} ${this.#class(object)})`;
      case `${rdf}type`: {
        const kind = entities[object.value];
        return kind === undefined || subject.termType !== "NamedNode"
          ? undefined
          : `Declaration(${kind}(${iri(subject)}))`;
      }
    }
    const isNote = subject.termType === "NamedNode" && object.termType === "Literal";
    return isNote ? `AnnotationAssertion(${iri(predicate)} ${iri(subject)} ${literal(object)})` : undefined;
  }

  #annotations({ subject, predicate, object }: Quad): string[] {
    const is = (node: string, property: string, value: Term) =>
      this.#of
        .get(node)
        ?.some((one) => one.predicate.value === property && one.object.value === value.value) === true;
    const axioms = this.quads.filter(({ object: type }) => type.value === `${owl}Axiom`);
    const found = axioms.filter(
      ({ subject: { value } }) =>
        is(value, `${owl}annotatedSource`, subject) &&
        is(value, `${owl}annotatedProperty`, predicate) &&
        is(value, `${owl}annotatedTarget`, object),
    );
    return found.map((one) => {
      const guarantee = this.#one(one.subject, claimOf);
      if (guarantee === undefined) throw new Error("an axiom is annotated by nothing");
      return `Annotation(<${claimOf}> ${iri(guarantee)}) `;
    });
  }

  #one(node: Term, property: string): Term | undefined {
    const found = this.#of.get(node.value)?.filter(({ predicate }) => predicate.value === property) ?? [];
    if (found.length > 1) throw new Error(`${property} stands twice`);
    return found[0]?.object;
  }

  #list(node: Term, each: (item: Term) => string): string {
    const items: string[] = [];
    for (let at = node; at.value !== `${rdf}nil`; ) {
      const [first, rest] = [this.#one(at, `${rdf}first`), this.#one(at, `${rdf}rest`)];
      if (first === undefined || rest === undefined) throw new Error("a list without an end");
      items.push(each(first));
      at = rest;
    }
    return items.join(" ");
  }

  #class(node: Term): string {
    if (node.termType === "NamedNode") return iri(node);
    const classes = (list: Term) => this.#list(list, (one) => this.#class(one));
    const get = (local: string) => this.#one(node, owl + local);
    const [not, all, any, one] = [get("complementOf"), get("intersectionOf"), get("unionOf"), get("oneOf")];
    if (not !== undefined) return `ObjectComplementOf(${this.#class(not)})`;
    if (all !== undefined) return `ObjectIntersectionOf(${classes(all)})`;
    if (any !== undefined) return `ObjectUnionOf(${classes(any)})`;
    if (one !== undefined) return `ObjectOneOf(${this.#list(one, iri)})`;
    return this.#restriction(node);
  }

  #restriction(node: Term): string {
    const get = (local: string) => this.#one(node, owl + local);
    const property = get("onProperty");
    if (property === undefined) throw new Error(`${node.value} is no class`);
    const inverse = this.#one(property, `${owl}inverseOf`);
    const role = inverse === undefined ? iri(property) : `ObjectInverseOf(${iri(inverse)})`;
    const isData =
      inverse === undefined && this.#one(property, `${rdf}type`)?.value === `${owl}DatatypeProperty`;
    const kind = isData ? "Data" : "Object";
    const filler = (of: Term) => (isData ? this.#range(of) : this.#class(of));
    const [some, only] = [get("someValuesFrom"), get("allValuesFrom")];
    if (some !== undefined) return `${kind}SomeValuesFrom(${role} ${filler(some)})`;
    if (only !== undefined) return `${kind}AllValuesFrom(${role} ${filler(only)})`;
    for (const [local, name] of cardinalities) {
      const number = get(local);
      if (number === undefined) continue;
      const of = get("onClass");
      return `${kind}${name}(${number.value} ${role}${of === undefined ? "" : ` ${this.#class(of)}`})`;
    }
    throw new Error(`${node.value} is no restriction`);
  }

  #range(node: Term): string {
    if (node.termType === "NamedNode") return iri(node);
    const get = (local: string) => this.#one(node, owl + local);
    const [values, not, bounds] = [get("oneOf"), get("datatypeComplementOf"), get("withRestrictions")];
    if (values !== undefined) return `DataOneOf(${this.#list(values, literal)})`;
    if (not !== undefined) return `DataComplementOf(${this.#range(not)})`;
    const datatype = get("onDatatype");
    if (bounds === undefined || datatype === undefined) throw new Error(`${node.value} is no range`);
    const facet = (one: Term) => {
      const [only, ...others] = this.#of.get(one.value) ?? [];
      if (only === undefined || others.length > 0) throw new Error("a facet is one triple");
      return `${iri(only.predicate)} ${literal(only.object)}`;
    };
    return `DatatypeRestriction(${iri(datatype)} ${this.#list(bounds, facet)})`;
  }
}

const entities: Readonly<Record<string, string>> = {
  [`${owl}Class`]: "Class",
  [`${owl}ObjectProperty`]: "ObjectProperty",
  [`${owl}DatatypeProperty`]: "DataProperty",
  [`${owl}AnnotationProperty`]: "AnnotationProperty",
  [`${owl}NamedIndividual`]: "NamedIndividual",
};

const cardinalities = [
  ["minQualifiedCardinality", "MinCardinality"],
  ["maxQualifiedCardinality", "MaxCardinality"],
  ["qualifiedCardinality", "ExactCardinality"],
  ["maxCardinality", "MaxCardinality"],
  ["cardinality", "ExactCardinality"],
] as const;

const iri = (term: Term): string => `<${term.value}>`;
const literal = (term: Term): string => `${JSON.stringify(term.value)}^^<${term.datatype?.value ?? ""}>`;
