/**
 * Adds elements at the end of a list. As arguments of `push`, so many as a document can have do not fit on the stack.
 * Part of what must be trusted.
 */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const element of more) list.push(element);
}
