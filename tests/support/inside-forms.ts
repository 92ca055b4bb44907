/** The solver forms of containment agree with the function, or leave it open. */
import fc from "fast-check";
import { expect } from "vitest";
import type { Forms } from "../../src/ir/inside/forms.ts";
import { Automaton } from "../../src/ir/regular/automaton.ts";
import { runs } from "./runs.ts";

interface Inside {
  readonly isInside: (text: string, outer: string) => boolean;
  readonly forms: (outer: string) => Forms | undefined;
  readonly anyText: fc.Arbitrary<string>;
  readonly anyOuter: fc.Arbitrary<string>;
}

export function expectFormsToAgree({ isInside, forms: formsOf, anyText, anyOuter }: Inside): void {
  const seen = { inside: 0, outside: 0, open: 0 };
  fc.assert(
    fc.property(anyOuter, fc.array(anyText, { minLength: 8, maxLength: 8 }), (outer, texts) => {
      const forms = formsOf(outer);
      const inside = forms && new Automaton(forms.inside);
      const open = forms?.open && new Automaton(forms.open);
      for (const text of [...texts, outer]) {
        const found = isInside(text, outer);
        if (inside?.accepts(text)) {
          seen.inside++;
          expect([text, outer, found]).toEqual([text, outer, true]);
        } else if (open?.accepts(text)) seen.open++;
        else {
          seen.outside++;
          expect([text, outer, found]).toEqual([text, outer, false]);
        }
      }
    }),
    { numRuns: runs(2_500) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(runs(50));
}
