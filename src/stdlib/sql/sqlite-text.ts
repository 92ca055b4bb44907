/**
 * Reads the shape of a SQLite statement: its words at the top, outside quotes and parentheses. What it touches, SQLite's
 * authorizer says; the shape is only for what the authorizer is not told.
 */

import { refused } from "../refused.ts";
import { verbOf } from "./access.ts";

interface Token {
  readonly text: string;
  readonly depth: number;
}

/** A join that compares columns which it does not name is not told to the authorizer. */
export function checkQueryShape(sql: string): void {
  if (!/^\s*select\s/i.test(sql)) refused("statement", "a query is a SELECT");
  for (const { text } of tokensOf(sql))
    if (text === "natural" || text === "using")
      refused("clause", `\`${text.toUpperCase()}\` is not allowed: a join says what it compares`);
}

/** A change needs `WHERE` with a value, and has no clause that changes more than it says. */
export function checkChangeShape(sql: string): void {
  const verb = verbOf(sql);
  const tokens = tokensOf(sql);
  const top = tokens.filter(({ depth }) => depth === 0).map(({ text }) => text);
  const second = top[1];
  if (second === "or") refused("clause", "`OR` after the verb replaces or drops rows without a word");
  for (const word of ["conflict", "returning", "from", "order", "limit"]) {
    const isOwn =
      word === "from" && verb === "delete" && top.indexOf(word) === 1 && top.lastIndexOf(word) === 1;
    if (top.includes(word) && !isOwn)
      refused("clause", `\`${word.toUpperCase()}\` is not allowed in a change`);
  }
  if (verb === "insert") {
    if (!top.includes("values") || top.includes("select"))
      refused("clause", "rows are added by VALUES alone");
    return;
  }
  const where = tokens.findIndex(({ text, depth }) => text === "where" && depth === 0);
  if (where === -1) refused("where", "a change needs WHERE");
  if (!tokens.slice(where).some(({ text }) => text === "?"))
    refused("where", "WHERE compares with at least one value");
}

function tokensOf(sql: string): readonly Token[] {
  const pattern = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\p{L}\p{N}_$]+|\S/gu;
  const tokens: Token[] = [];
  let depth = 0;
  for (const [text] of sql.matchAll(pattern)) {
    if (text === ")") depth -= 1;
    if (depth < 0) refused("syntax", "a parenthesis is closed that was not opened");
    tokens.push({ text: text.toLowerCase(), depth });
    if (text === "(") depth += 1;
    // A quote that is alone does not end.
    if (/^['"`[]$/.test(text)) refused("syntax", "a quote does not end");
  }
  return tokens;
}
