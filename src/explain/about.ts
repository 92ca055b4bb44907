/** Which tools a guarantee is about: those whose relation it speaks of, or whose effects it looks at. */
import type { Checked, Expr } from "../ir/index.ts";
import { speaksOf, spokenIn } from "./references.ts";

export function isAbout(checked: Checked, formula: Expr | undefined): (tool: string) => boolean {
  const spoken = spokenIn(formula);
  return (name) => {
    const tool = checked.tools.get(name);
    return tool === undefined ? spoken.tools.has(name) : speaksOf(spoken, tool);
  };
}
