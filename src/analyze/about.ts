/** Which tools a guarantee is about: those whose relation it speaks of, or whose effects it looks at. */
import type { Checked, Expr } from "../ir/index.ts";

export function isAbout(checked: Checked, formula: Expr | undefined): (tool: string) => boolean {
  const named = namedIn(formula);
  return (name) => {
    const tool = checked.tools.get(name);
    return (
      named.tools.has(name) ||
      tool?.labels.some((label) => named.labels.has(label)) === true ||
      tool?.sets.some(({ fluent }) => named.fluents.has(fluent)) === true
    );
  };
}

interface Named {
  readonly tools: Set<string>;
  readonly labels: Set<string>;
  readonly fluents: Set<string>;
}

/** Every relation and every cell of a formula names what it is about in fields of these names. */
function namedIn(formula: Expr | undefined): Named {
  const named: Named = { tools: new Set(), labels: new Set(), fluents: new Set() };
  const pending: unknown[] = [formula];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== "object" || node === null) continue;
    const add = (to: Set<string>, name: unknown) => typeof name === "string" && to.add(name);
    add(named.tools, Reflect.get(node, "tool"));
    add(named.labels, Reflect.get(node, "label"));
    add(named.fluents, Reflect.get(node, "fluent"));
    pending.push(...Object.values(node));
  }
  return named;
}
