/** Views of documents as description logic and as OWL 2. */
export { type ClosureName, closures } from "./closure.ts";
export type { Faithfulness, GuaranteeView } from "./guarantee.ts";
export { type Ontology, ontologyOf } from "./ontology.ts";
export { axiomDl, printDl, statedAs } from "./print-dl.ts";
export { printFunctional, printXml } from "./print-owl.ts";
export { printTurtle } from "./print-turtle.ts";
export type { Section } from "./program.ts";
export { type NamedGuarantee, type View, viewOf } from "./view.ts";
