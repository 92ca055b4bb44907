/** Leaves a translation: the document is outside the fragment that the proofs cover. */
export class Beyond extends Error {}

export function beyond(what: string): never {
  throw new Beyond(what);
}
