/** Recognizes servers of the catalogue by the tools and fields that its contracts speak of. */
import type { ShapeField } from "../gateway/shape.ts";
import type { CatalogueServer, FieldType } from "./entry.ts";
import { catalogue } from "./servers.ts";

/** A tool of a server that may be recognized. */
export interface ServerTool {
  /** The name at the server. */
  readonly name: string;
  readonly fields: readonly ShapeField[];
}

/** Returns the server of the catalogue that has these tools; undefined if there is none. */
export function recognized(tools: readonly ServerTool[]): CatalogueServer | undefined {
  const byName = new Map(tools.map((one) => [one.name, one.fields]));
  return catalogue.find((server) =>
    Object.entries(server.tools).every(([name, fields]) => {
      const found = byName.get(name);
      return (
        found !== undefined &&
        Object.entries(fields).every(([field, type]) =>
          isOf(
            found.find((one) => one.name === field),
            type,
          ),
        )
      );
    }),
  );
}

/** Replaces the names of tools after `$` by those of a module. */
export function withTools(text: string, as: (tool: string) => string): string {
  return text.replace(/\$([A-Za-z][A-Za-z0-9_-]*)/g, (_, tool: string) => as(tool));
}

function isOf(field: ShapeField | undefined, type: FieldType): boolean {
  if (field === undefined || field.optional !== type.endsWith("?")) return false;
  const { shape } = field;
  switch (type) {
    case "string":
    case "string?":
      return shape.kind === "string" || shape.kind === "enum";
    case "boolean?":
      return shape.kind === "boolean";
    case "string[]":
    case "string[]?":
      return shape.kind === "list" && shape.item.kind === "string";
  }
}
