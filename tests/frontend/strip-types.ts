/** Turns TypeScript into the JavaScript that it is, by blanking what only the type checker reads. */
import { type Node, parseSync, visitorKeys } from "oxc-parser";

export function stripTypes(text: string): string {
  const { program, errors } = parseSync("program.ts", text, { lang: "ts", sourceType: "module" });
  if (errors[0]) throw new Error(errors[0].message);
  const cuts: [number, number][] = [];
  const visit = (node: Node): void => {
    switch (node.type) {
      case "TSTypeAnnotation":
      case "TSTypeParameterInstantiation":
      case "TSTypeParameterDeclaration":
      case "TSInterfaceDeclaration":
      case "TSTypeAliasDeclaration":
        cuts.push([node.start, node.end]);
        return;
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
        cuts.push([node.expression.end, node.end]);
        visit(node.expression);
        return;
      case "ImportDeclaration":
        cuts.push([node.start, node.end]);
        return;
    }
    if (node.type === "Identifier" && (node as { optional?: boolean }).optional) {
      const mark = text.indexOf("?", node.start);
      cuts.push([mark, mark + 1]);
    }
    for (const key of visitorKeys[node.type] ?? []) {
      const value = (node as unknown as Record<string, unknown>)[key];
      for (const child of Array.isArray(value) ? value : [value]) if (child) visit(child as Node);
    }
  };
  visit(program);
  let result = text;
  for (const [start, end] of cuts.sort((a, b) => b[0] - a[0]))
    result = result.slice(0, start) + " ".repeat(end - start) + result.slice(end);
  return result;
}
