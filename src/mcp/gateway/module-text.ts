/** A tool module for the tools of a server: readable, and trusted only once a person has read it. */
import { type ModuleTool, printContracts } from "./contracts.ts";
import type { ToolDefinition } from "./definition.ts";
import { commentText, literalText, Names, typeName } from "./names.ts";
import { conditionsOf } from "./print-requires.ts";
import { TypePrinter } from "./print-type.ts";
import { readSchema } from "./read-schema.ts";
import { resultShape } from "./result-shape.ts";
import type { JsonReason, ShapeField } from "./shape.ts";
import { expressible } from "./surface.ts";

export interface ModuleOptions {
  /** The name of the module, and the label of all its tools. */
  readonly name: string;
  /** Set where a person takes the server's annotations for true. */
  readonly trustHints: boolean;
}

export interface GeneratedModule {
  readonly text: string;
  /** The names of the tools in the module, by their names at the server. */
  readonly tools: ReadonlyMap<string, string>;
  /** Places that hold any JSON value, by reason. */
  readonly open: readonly JsonReason[];
  /** Conditions that only the server verifies. */
  readonly ignored: readonly string[];
  /** The server of the catalogue whose contracts it has. */
  readonly recognized?: string;
}

/** LIMIT: of the comment of a tool. */
const commentLength = 400;

export function generateModule(
  definitions: readonly ToolDefinition[],
  options: ModuleOptions,
): GeneratedModule {
  const names = new Names();
  const tools = new Map(definitions.map(({ name }) => [name, names.take(name)]));
  const types = new TypePrinter(names);
  const ignored: string[] = [];
  const printed = definitions.map((one) =>
    printTool(one, tools.get(one.name) ?? one.name, options, types, ignored),
  );
  const contracts = printContracts(options.name, printed, names);
  const needsInt = [...types.declarations(), ...printed.map(({ text }) => text)].some((text) =>
    /\bInt\b/.test(text),
  );
  const words = [...contracts.words, "tool", ...(needsInt ? ["type Int"] : [])].sort(byWord);
  const parts = [
    `/**\n * Tools of the MCP server \`${options.name}\`, made from its definitions. Read it before you trust it: change labels,\n * add \`reads: true\` where a tool only reads, and write the contracts that matter.\n */`,
    `import { ${words.join(", ")} } from "foreclaim";\nimport { upstream } from "foreclaim/mcp";`,
    `const server = upstream(${JSON.stringify(options.name)}, import.meta.url);`,
    ...types.declarations(),
    ...printed.map(({ text }) => text),
    ...contracts.text,
  ];
  const { recognized } = contracts;
  return {
    text: `${parts.join("\n\n")}\n`,
    tools,
    open: types.open,
    ignored,
    ...(recognized !== undefined && { recognized }),
  };
}

function byWord(a: string, b: string): number {
  const [x, y] = [a.replace("type ", ""), b.replace("type ", "")];
  return x.toLowerCase() < y.toLowerCase() ? -1 : 1;
}

interface PrintedTool extends ModuleTool {
  readonly text: string;
}

function printTool(
  definition: ToolDefinition,
  as: string,
  options: ModuleOptions,
  types: TypePrinter,
  ignored: string[],
): PrintedTool {
  const { name, description, inputSchema, outputSchema } = definition;
  const input = readSchema(inputSchema, "arguments");
  const shape = expressible(input.shape);
  const fields = shape.kind === "record" ? shape.fields : [];
  const conditions = conditionsOf({ kind: "record", fields }, "call");
  for (const one of [...input.ignored, ...conditions.ignored]) ignored.push(`${name}: ${one}`);
  const args = argumentsText(fields, as, types);
  const result = resultOf(outputSchema, as, types);
  const hints = hintsOf(definition, options.trustHints);
  const claims = claimsOf(definition);
  const requires = conditions.all.join(" &&\n    ");
  const given = fields.length === 0 ? "{}" : "args";
  const lines = [
    `  labels: ${JSON.stringify([options.name, ...hints.labels]).replaceAll(",", ", ")},`,
    ...(hints.reads ? ["  reads: true,"] : []),
    ...(hints.idempotent ? ["  idempotent: true,"] : []),
    '  source: "untrusted",',
    ...(requires === ""
      ? []
      : [`  requires: (call) =>${conditions.all.length > 1 ? "\n    " : " "}${requires},`]),
    `  run: async (${args}, call): Promise<${result.type}> => server.${result.how}(${literalText(name)}, ${given}, call),`,
  ];
  const comment = [commentText(description, commentLength), claims].filter((one) => one !== "").join(" ");
  const text = `${comment === "" ? "" : `/** ${comment} */\n`}export const ${as} = tool({\n${lines.join("\n")}\n});`;
  return { name, as, changes: !hints.reads, fields, text };
}

function argumentsText(fields: readonly ShapeField[], as: string, types: TypePrinter): string {
  if (fields.length === 0) return "_: {}";
  return `args: ${types.print({ kind: "record", fields }, `${typeName(as)}Input`)}`;
}

/** A structured result by its schema, projected to the fields that it names; otherwise the text. */
function resultOf(
  schema: ToolDefinition["outputSchema"],
  as: string,
  types: TypePrinter,
): { readonly type: string; readonly how: string } {
  if (schema === undefined) return { type: "string", how: "text" };
  return { type: types.print(resultShape(schema), `${typeName(as)}Output`), how: "structured" };
}

interface Hints {
  readonly labels: readonly string[];
  readonly reads: boolean;
  readonly idempotent: boolean;
}

/** SOUNDNESS: an annotation is a claim of the server. Unless a person trusts it, a tool may change and destroy anything. */
function hintsOf({ annotations }: ToolDefinition, isTrusted: boolean): Hints {
  const claims = (hint: string, value: boolean) => isTrusted && annotations[hint] === value;
  const reads = claims("readOnlyHint", true);
  const labels = [
    ...(reads ? [] : ["changes"]),
    ...(reads || claims("destructiveHint", false) ? [] : ["destructive"]),
    ...(claims("openWorldHint", false) ? [] : ["open_world"]),
  ];
  return { labels, reads, idempotent: claims("idempotentHint", true) };
}

function claimsOf({ annotations }: ToolDefinition): string {
  const claims = [
    ...(annotations.readOnlyHint === true ? ["read-only"] : []),
    ...(annotations.destructiveHint === false ? ["not destructive"] : []),
    ...(annotations.idempotentHint === true ? ["idempotent"] : []),
    ...(annotations.openWorldHint === false ? ["no open world"] : []),
  ];
  return claims.length === 0 ? "" : `(The server claims: ${claims.join(", ")}.)`;
}
