/** SMT forms of containment: two regular languages. Part of what must be trusted. */
import type { Language } from "../regular/language.ts";

export interface Forms {
  /** Texts that are certainly inside. */
  readonly inside: Language;
  /** Texts that may be inside or not. All others are certainly outside; without it, nothing is open. */
  readonly open?: Language;
}
