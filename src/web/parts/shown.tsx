/** Text that somebody else wrote. It is always text: nothing on this page is ever taken for HTML. */
import type { ComponentChildren, JSX } from "preact";
import { pieces } from "../../explain/visible.ts";

interface ShownProps {
  readonly text: string;
  /** True to keep line breaks and tabs. */
  readonly layout?: boolean;
}

export function Shown({ text, layout = false }: ShownProps): JSX.Element {
  return (
    <>
      {pieces(text, layout).map((piece, i) =>
        piece.isEscape ? (
          <span key={i} class="escape" title="an invisible character">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}

/** A sentence, in which names stand between backquotes: as many as it takes to see where they end. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  const parts: ComponentChildren[] = [];
  let rest = text;
  for (let open = /`+/.exec(rest); open !== null; open = /`+/.exec(rest)) {
    const [fence] = open;
    const from = open.index + fence.length;
    const close = closing(rest, from, fence.length);
    if (close < 0) break;
    const inside = rest.slice(from, close);
    parts.push(<Shown text={rest.slice(0, open.index)} />);
    parts.push(
      <code>
        <Shown text={fence.length > 1 ? inside.replace(/^ | $/g, "") : inside} />
      </code>,
    );
    rest = rest.slice(close + fence.length);
  }
  parts.push(<Shown text={rest} />);
  return <>{parts}</>;
}

function closing(text: string, from: number, length: number): number {
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text))
    if (run[0].length === length) return run.index;
  return -1;
}

/** A sentence of ours begins with a capital letter here, where it stands alone. */
export function Sentence({ text }: { readonly text: string }): JSX.Element {
  const first = /^[a-z]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return <Prose text={/[.…?!]$/.test(first) ? first : `${first}.`} />;
}
