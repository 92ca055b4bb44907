/** A part of a request under its heading. On a phone all parts fold, so that the card is on one screen. */
import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Shown } from "./shown.tsx";

const narrow = matchMedia("(max-width: 40rem)");
export const isPhone = signal(narrow.matches);
narrow.addEventListener("change", () => {
  isPhone.value = narrow.matches;
});

interface FoldProps {
  readonly id: string;
  readonly title: string;
  /** The content in a few words. */
  readonly note?: string;
  readonly look?: string;
  /** True to show it on a phone too. */
  readonly open?: boolean;
  readonly children: ComponentChildren;
}

export function Fold({ id, title, note, look, open = false, children }: FoldProps): JSX.Element {
  // It stays as the reader leaves it.
  const [isOpen] = useState(open || !isPhone.peek());
  return (
    <section aria-labelledby={id} class={look}>
      <details class="fold" open={isOpen}>
        <summary>
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          {note === undefined ? null : (
            <span class="fold-note">
              <Shown text={note} />
            </span>
          )}
        </summary>
        <div class="fold-body">{children}</div>
      </details>
    </section>
  );
}

/** Shows an element that may be folded away, and moves the focus there. */
export function reveal(target: HTMLElement | null, block: ScrollLogicalPosition = "start"): void {
  for (let at = target?.closest("details"); at != null; at = at.parentElement?.closest("details"))
    at.open = true;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  target?.scrollIntoView({ block, behavior: isStill ? "auto" : "smooth" });
  target?.focus({ preventScroll: true });
}
