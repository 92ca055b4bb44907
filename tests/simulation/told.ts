/** Counts of injected faults, added up and told. */

export function added(all: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) all[name] = (all[name] ?? 0) + count;
}

export function told(faults: Readonly<Record<string, number>>): string {
  const counts = Object.entries(faults).sort(([, a], [, b]) => b - a);
  const sum = counts.reduce((total, [, count]) => total + count, 0);
  return `${sum} faults (${counts.map(([name, count]) => `${name} ${count}`).join(", ")})`;
}
