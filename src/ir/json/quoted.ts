/** A user's own words in a message: in backticks, cut short, and nothing in them can break the line. */
export function quoted(words: string): string {
  return `\`${escaped(clipped(words))}\``;
}

/** The same for a string value, which keeps its quotation marks. */
export function quotedString(value: string): string {
  return `\`${JSON.stringify(clipped(value)).replaceAll("`", "\\u0060")}\``;
}

/** The first few of a list of names. */
export function quotedList(words: readonly string[], quote: (word: string) => string, most: number): string {
  const shown = words.slice(0, most).map(quote);
  return words.length > most ? `${shown.join(", ")} and ${words.length - most} more` : shown.join(", ");
}

const longest = 40;

function clipped(words: string): string {
  return words.length > longest ? `${words.slice(0, longest)}…` : words;
}

// Besides control characters: what looks like nothing, what turns the direction of the line, and half pairs.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}`]/gu;

function escaped(words: string): string {
  return words.replace(unprintable, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
    return code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
  });
}
