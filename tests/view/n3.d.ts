/** The part of the parser of Turtle that the tests use; the package has no types of its own. */
declare module "n3" {
  export interface Term {
    readonly termType: "NamedNode" | "BlankNode" | "Literal" | "Variable" | "DefaultGraph";
    readonly value: string;
    readonly datatype?: Term;
  }
  export interface Quad {
    readonly subject: Term;
    readonly predicate: Term;
    readonly object: Term;
  }
  export class Parser {
    constructor(options?: { readonly format?: string });
    parse(text: string): Quad[];
  }
}
