/** Colors for the source. They say nothing that the text does not say, so a simple reading is enough. */
export type Kind = "comment" | "string" | "number" | "keyword" | "plain";

export interface Token {
  readonly kind: Kind;
  readonly text: string;
}

/** LIMIT: a longer text stays plain. */
const longest = 60_000;

const tokens =
  /(\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\[\s\S])*`?)|\b(\d[\d_.]*n?)\b|\b(as|async|await|break|case|catch|class|const|continue|default|do|else|enum|export|extends|false|finally|for|from|function|if|import|in|interface|let|new|null|of|return|switch|throw|true|try|type|typeof|undefined|while)\b/g;

export function highlight(text: string): Token[] {
  if (text.length > longest) return [{ kind: "plain", text }];
  const found: Token[] = [];
  let at = 0;
  for (const match of text.matchAll(tokens)) {
    const [whole, comment, string, number] = match;
    if (match.index > at) found.push({ kind: "plain", text: text.slice(at, match.index) });
    const kind =
      comment !== undefined
        ? "comment"
        : string !== undefined
          ? "string"
          : number !== undefined
            ? "number"
            : "keyword";
    found.push({ kind, text: whole });
    at = match.index + whole.length;
  }
  found.push({ kind: "plain", text: text.slice(at) });
  return found;
}
