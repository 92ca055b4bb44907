/** The difference of two texts, line by line, as `diff -u` shows it. */

/** LIMIT: of lines on each side between the common beginning and the common end. */
const mostLines = 6_000;
const contextLines = 2;

/** Returns lines that begin with `-`, `+` or a blank; none if the texts are equal. */
export function lineDiff(before: string, after: string): readonly string[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  const start = commonLength(a, b);
  const end = Math.min(commonLength(a.toReversed(), b.toReversed()), a.length - start, b.length - start);
  const [removed, added] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (removed.length === 0 && added.length === 0) return [];
  const all = [
    ...a.slice(0, start).map((line) => ` ${line}`),
    ...edits(removed, added),
    ...a.slice(a.length - end).map((line) => ` ${line}`),
  ];
  return hunks(all);
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/** The longest common subsequence, by the usual table. */
function edits(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length > mostLines || b.length > mostLines)
    return [...a.map((line) => `-${line}`), ...b.map((line) => `+${line}`)];
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => table[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const found: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      found.push(` ${a[i]}`);
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) found.push(`-${a[i++]}`);
    else found.push(`+${b[j++]}`);
  }
  return found;
}

/** Only the changes, with a few lines around each. */
function hunks(all: readonly string[]): readonly string[] {
  const near = new Set<number>();
  for (const [i, line] of all.entries())
    if (!line.startsWith(" "))
      for (let k = i - contextLines; k <= i + contextLines; k++) if (k >= 0 && k < all.length) near.add(k);
  const kept = [...near].sort((x, y) => x - y);
  return kept.flatMap((i, k) => (k > 0 && kept[k - 1] !== i - 1 ? ["...", all[i] ?? ""] : [all[i] ?? ""]));
}
