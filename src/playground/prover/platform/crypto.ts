/** The part of `node:crypto` that the prover uses, in a browser. */
import { Sha256 } from "./sha256.ts";

interface Hash {
  update(text: string): Hash;
  digest(encoding: "hex"): string;
}

export function createHash(algorithm: "sha256"): Hash {
  if (algorithm !== "sha256") throw new TypeError(`there is no \`${algorithm}\` here`);
  return new Sha256();
}
