/** Shapes as TypeScript. A record of some size gets an interface of its own; equal ones share it. */
import { commentText, isIdentifier, literalText, type Names } from "./names.ts";
import type { JsonReason, Shape, ShapeField } from "./shape.ts";

/** LIMIT: of a comment on a field, and of a record that stands where it is used. */
const fieldCommentLength = 160;
const inlineLength = 60;

export class TypePrinter {
  readonly #names: Names;
  readonly #interfaces = new Map<string, string>();
  /** Why each place of any JSON value is one. */
  readonly open: JsonReason[] = [];

  constructor(names: Names) {
    this.#names = names;
  }

  /** The declarations that the printed types refer to. */
  declarations(): readonly string[] {
    return Array.from(this.#interfaces, ([body, name]) => `export interface ${name} ${body}`);
  }

  /** @param name for an interface, if one is needed */
  print(shape: Shape, name: string): string {
    switch (shape.kind) {
      case "string":
      case "number":
      case "boolean":
      case "null":
        return shape.kind;
      case "integer":
        return "Int";
      case "enum":
        return shape.values.map(literalText).join(" | ");
      case "list": {
        const item = this.print(shape.item, name);
        return shape.item.kind === "union" || shape.item.kind === "enum" ? `(${item})[]` : `${item}[]`;
      }
      case "map":
        return `Record<string, ${this.print(shape.value, name)}>`;
      case "union":
        return shape.members.map((one, i) => this.print(one, i === 0 ? name : `${name}${i + 1}`)).join(" | ");
      case "json":
        this.open.push(shape.why);
        return "unknown";
      case "record":
        return this.#record(shape.fields, name);
    }
  }

  #record(fields: readonly ShapeField[], name: string): string {
    const printed = fields.map((one) => ({
      text: `${keyText(one.name)}${one.optional ? "?" : ""}: ${this.print(one.shape, `${name}${partName(one.name)}`)}`,
      comment: commentText(one.description, fieldCommentLength),
    }));
    const inline = `{ ${printed.map(({ text }) => text).join("; ")} }`;
    const hasComment = printed.some(({ comment }) => comment !== "");
    if (fields.length === 0) return "{}";
    if (!hasComment && inline.length <= inlineLength) return inline;
    const lines = printed.map(
      ({ text, comment }) => `${comment === "" ? "" : `  /** ${comment} */\n`}  ${text};`,
    );
    const body = `{\n${lines.join("\n")}\n}`;
    const known = this.#interfaces.get(body);
    if (known !== undefined) return known;
    const own = this.#names.take(name);
    this.#interfaces.set(body, own);
    return own;
  }
}

function keyText(name: string): string {
  return isIdentifier(name) ? name : literalText(name);
}

function partName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9]+/g, "");
  return `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}`;
}
