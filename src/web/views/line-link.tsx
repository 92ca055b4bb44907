/** A line of the source, which is shown when it is asked for. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";

/** The line that is pointed at. */
export const marked = signal<number | null>(null);

export function lineId(line: number): string {
  return `line-${line}`;
}

export function LineLink({ line }: { readonly line: number | null }): JSX.Element | null {
  if (line === null) return null;
  const show = () => {
    marked.value = line;
    const target = document.getElementById(lineId(line));
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    target?.scrollIntoView({ block: "center", behavior: isStill ? "auto" : "smooth" });
    target?.focus({ preventScroll: true });
  };
  return (
    <button type="button" class="line-link" onClick={show}>
      line {line}
    </button>
  );
}
