/** The tools of a guarantee: those whose relation it speaks of, or whose effects it looks at. */
import { type Checked, type Expr, referencesIn } from "../ir/index.ts";
import { speaksOf } from "./references.ts";

export function isAbout(checked: Checked, formula: Expr | undefined): (tool: string) => boolean {
  const references = referencesIn(formula);
  return (name) => {
    const tool = checked.tools.get(name);
    return tool === undefined ? references.tools.has(name) : speaksOf(references, tool);
  };
}
