/** Texts in single quotes, written as JSON has them; all else stays as it is. */
export function doubleQuoted(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|'((?:[^'\\]|\\.)*)'/gsu, (whole, inner: string | undefined) =>
    inner === undefined
      ? whole
      : `"${inner.replace(/\\.|"/gsu, (one) => (one === '"' ? '\\"' : one === "\\'" ? "'" : one))}"`,
  );
}
