/**
 * The form of the entry that is being decided. Decisions of earlier forms are made again as they were made then: what a later
 * version judges otherwise, it judges so from its own form on. Part of what must be trusted.
 */

/**
 * 1 held sentences; 2 holds codes and arguments; since 3 an expression with an undefined step is violated, a deletion is one
 * whatever stood there, and some entries hold the digest of the whole state; since 4 entries name their principal, the clock
 * is bounded, and rules on texts use tables of our own.
 */
export const newestForm = 4;
/** Every form, oldest first. */
export type FormNumber = 1 | 2 | 3 | typeof newestForm;

let deciding: FormNumber = newestForm;

/** Decides something as it was decided in entries of that form. */
export function inForm<T>(form: FormNumber, body: () => T): T {
  const before = deciding;
  deciding = form;
  try {
    return body();
  } finally {
    deciding = before;
  }
}

/** Returns whether decisions of that form are made, or of a later one. */
export function isSince(form: FormNumber): boolean {
  return deciding >= form;
}
