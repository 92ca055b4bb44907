/** Which calls of a run a guarantee is about: those whose relation it speaks of, or whose effects it looks at. */
import type { Checked, Expr, TraceEntry } from "../../ir/index.ts";

export function involvedIn(
  checked: Checked,
  formula: Expr | undefined,
  trace: readonly TraceEntry[],
): TraceEntry[] {
  const named = namedIn(formula);
  return trace.filter((entry) => {
    const tool = checked.tools.get(entry.tool);
    return (
      named.tools.has(entry.tool) ||
      tool?.labels.some((label) => named.labels.has(label)) ||
      tool?.sets.some(({ fluent }) => named.fluents.has(fluent))
    );
  });
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
