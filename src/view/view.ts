/**
 * A document as description logic: its tools and calls, what closes their world, and its guarantees with how far each of
 * them can be said there. Made from the document alone, and the same for the same document.
 */

import { sentence } from "../explain/index.ts";
import { type Checked, hashDocument } from "../ir/index.ts";
import { type GuaranteeView, guaranteeView } from "./guarantee.ts";
import { type Name, named } from "./names.ts";
import { type CallFact, programSections, type Section, toolSections } from "./program.ts";

export interface View {
  readonly hash: string;
  /** Axioms that hold in every run. */
  readonly sections: readonly Section[];
  readonly calls: readonly CallFact[];
  /** Guarantees of every run; only a proof shows that they hold. */
  readonly guarantees: readonly NamedGuarantee[];
}

export interface NamedGuarantee extends GuaranteeView {
  readonly name: Name;
  /** In English; absent if its formula is not known. */
  readonly sentence?: string;
}

export function viewOf(checked: Checked): View {
  const { sections, calls } = programSections(checked);
  return {
    hash: hashDocument(checked.document),
    sections: [...toolSections(checked), ...sections],
    calls,
    guarantees: checked.document.guarantees.map((guarantee, i) => ({
      ...guaranteeView(checked, guarantee),
      name: named("guarantee", String(i + 1)),
      ...(guarantee.formula && { sentence: sentence(guarantee.formula, checked, { full: true }) }),
    })),
  };
}
