/** Small words around numbers and sizes. */

/** `1 call`, `2 calls`, `12,345 calls`. */
export function count(n: number, noun: string): string {
  return `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;
}

export function entriesText(n: number): string {
  return n === 1 ? "1 entry" : `${grouped(n)} entries`;
}

export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[], word: "and" | "or" = "and"): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} ${word} ${last}`;
}
