/** A line of the source, which is shown when it is asked for. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { reveal } from "../parts/fold.tsx";

/** The line that is pointed at. */
export const marked = signal<number | null>(null);

export function lineId(line: number): string {
  return `line-${line}`;
}

export function LineLink({ line }: { readonly line: number | null }): JSX.Element | null {
  if (line === null) return null;
  const show = () => {
    marked.value = line;
    reveal(document.getElementById(lineId(line)), "center");
  };
  return (
    <button type="button" class="line-link" onClick={show}>
      line {line}
    </button>
  );
}
