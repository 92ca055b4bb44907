/** The s-expressions that solvers answer with. Strict: what is not plainly one is not read at all. */

/** An atom is a string as it was written, quotes and bars included. */
export type Sexpr = string | readonly Sexpr[];

// A string with a doubled quote is, to this pattern, several strings without a gap.
const token = /[ \t\r\n]+|([()])|((?:"[^"]*")+|\|[^|\\]*\||[^\s()"|;]+)/y;

/** All the expressions of a text, or undefined if it is not a sequence of whole expressions. */
export function readSexprs(text: string): readonly Sexpr[] | undefined {
  const top: Sexpr[] = [];
  // Kept by hand, so that no answer is nested too deeply to be read.
  const open: Sexpr[][] = [top];
  const tokens = new RegExp(token);
  while (tokens.lastIndex < text.length) {
    const match = tokens.exec(text);
    if (match === null) return undefined;
    const [, parenthesis, atom] = match;
    if (atom !== undefined) open.at(-1)?.push(atom);
    else if (parenthesis === "(") {
      const list: Sexpr[] = [];
      open.at(-1)?.push(list);
      open.push(list);
    } else if (parenthesis === ")") {
      open.pop();
      if (open.length === 0) return undefined;
    }
  }
  return open.length === 1 ? top : undefined;
}
