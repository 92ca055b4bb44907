/** The problems of a document that disagrees with the tool modules, and of a saved layer of them; a closed set. */
import type { Code, Diagnostic } from "../ir/index.ts";

export const linkCodes = {
  FC2601: "tool that no tool module declares",
  FC2602: "tool is not what its module declares",
  FC2603: "fluent is not what its module declares",
  FC2604: "guarantee that no contract gives a formula",
  FC2605: "wrong arguments of a contract in a document",
  FC2606: "formula is not that of the contract",
  FC2607: "document of other tool modules",
  FC2608: "document states no guarantee",
  FC2609: "declared by two tool modules",
  FC2610: "document without tool modules cannot be run",
  FC2611: "saved tool layer cannot be read",
  FC2612: "saved tool layer was changed",
} as const;

export type LinkCode = keyof typeof linkCodes;

/** Also with the codes of documents, where one part is checked like a document. */
export type LinkProblem = Diagnostic<LinkCode | Code>;
