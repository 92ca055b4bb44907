/** Colors and signs: all of them from here, so that plain output is plain everywhere. */
import picocolors from "picocolors";

export interface Look {
  readonly colour: boolean;
  readonly unicode: boolean;
}

type Colour = (text: string) => string;

export interface Paint {
  readonly bold: Colour;
  readonly dim: Colour;
  readonly red: Colour;
  readonly green: Colour;
  readonly yellow: Colour;
  readonly cyan: Colour;
  readonly signs: Signs;
}

export interface Signs {
  /** In place of an omitted part. */
  readonly cut: string;
  readonly bar: string;
  readonly arrow: string;
  /** Before a verdict; nothing in ASCII, where the word says it all. */
  readonly holds: string;
  readonly violated: string;
  readonly unknown: string;
}

const unicodeSigns: Signs = { cut: "…", bar: "│", arrow: "→", holds: "✓ ", violated: "✗ ", unknown: "? " };
const asciiSigns: Signs = { cut: "...", bar: "|", arrow: "->", holds: "", violated: "", unknown: "" };

export function paintFor({ colour, unicode }: Look): Paint {
  const { bold, dim, red, green, yellow, cyan } = picocolors.createColors(colour);
  return { bold, dim, red, green, yellow, cyan, signs: unicode ? unicodeSigns : asciiSigns };
}
