/** Texts that the extracted programs read and write: an atom is its length in bytes and its bytes, a list has parentheses. */

export type Tree = string | readonly Tree[];

export function atom(text: string | number): string {
  const bytes = Buffer.from(String(text), "utf8").toString("latin1");
  return `${bytes.length}:${bytes}`;
}

export function items(...parts: readonly string[]): string {
  return `(${parts.join("")})`;
}

/** Whole numbers are in binary, as Coq has them. */
export function whole(number: bigint | number): string {
  return atom(BigInt(number).toString(2));
}

export function optional<T>(value: T | undefined, text: (value: T) => string): string {
  return value === undefined ? items() : items(text(value));
}

/** Reads a text without recursion on lists that follow each other; nested ones are as deep as their terms. */
export function parseTree(text: string): Tree {
  let at = 0;
  const one = (): Tree => {
    if (text[at] === "(") {
      at++;
      const list: Tree[] = [];
      while (text[at] !== ")") {
        if (at >= text.length) throw new TypeError("a list without its end");
        list.push(one());
      }
      at++;
      return list;
    }
    const colon = text.indexOf(":", at);
    const start = colon + 1;
    at = start + Number(text.slice(at, colon));
    return text.slice(start, at);
  };
  return one();
}

export function numberOf(binary: string): bigint {
  return binary.startsWith("-") ? -BigInt(`0b${binary.slice(1)}`) : BigInt(`0b${binary}`);
}
