/** What a solver is told of "inside": two regular languages. Part of what must be trusted. */
import type { Language } from "../regular/language.ts";

export interface Forms {
  /** What is inside for certain. */
  readonly inside: Language;
  /** What may be inside or not. All else is not inside for certain; without it, nothing is left open. */
  readonly open?: Language;
}
