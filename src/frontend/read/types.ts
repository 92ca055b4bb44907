/** TypeScript's types, as far as values of a run can have them. Everything else is refused at its place. */
import type { TSSignature, TSType, TSTypeName, TSTypeReference } from "oxc-parser";
import { append, closest } from "../../ir/index.ts";
import type { FrontCode } from "../codes.ts";
import { refuse } from "../refusal.ts";
import type { Module, TypeEntry } from "../syntax.ts";
import {
  asOptional,
  bigint,
  bool,
  int,
  joinTy,
  json,
  listTy,
  mapTy,
  nullTy,
  real,
  string,
  type Ty,
  type TyField,
  undefinedTy,
} from "../ty.ts";

interface Reading {
  readonly module: Module;
  /** Declarations under way: meeting one again is a recursive type. */
  readonly open: readonly unknown[];
  /** How many parts the whole type has so far. */
  readonly size: { parts: number };
}

/** LIMIT: of one type, with all its names written out: each may double what another stands for. */
const mostParts = 100_000;

export function readType(module: Module, node: TSType): Ty {
  return read({ module, open: [], size: { parts: 0 } }, node);
}

/** The result of a function: `Promise<T>` is `T`, and `void` is nothing. */
export function readResult(module: Module, node: TSType): Ty | undefined {
  const inner = promised(node) ?? node;
  if (inner.type === "TSVoidKeyword" || inner.type === "TSUndefinedKeyword") return undefined;
  return readType(module, inner);
}

function promised(node: TSType): TSType | undefined {
  if (
    node.type !== "TSTypeReference" ||
    node.typeName.type !== "Identifier" ||
    node.typeName.name !== "Promise"
  )
    return undefined;
  return node.typeArguments?.params[0];
}

function read(at: Reading, node: TSType): Ty {
  if (++at.size.parts > mostParts)
    problem(at, node, "FC2503", `this type has more than ${mostParts} parts once its names are written out`);
  switch (node.type) {
    case "TSStringKeyword":
      return string;
    case "TSNumberKeyword":
      return real;
    case "TSBooleanKeyword":
      return bool;
    case "TSBigIntKeyword":
      return bigint;
    case "TSUnknownKeyword":
    case "TSAnyKeyword":
      return json;
    case "TSNullKeyword":
      return nullTy;
    case "TSUndefinedKeyword":
    case "TSVoidKeyword":
      return undefinedTy;
    case "TSParenthesizedType":
      return read(at, node.typeAnnotation);
    case "TSArrayType":
      return listTy(element(at, node.elementType));
    case "TSTypeOperator":
      if (node.operator === "readonly") return read(at, node.typeAnnotation);
      break;
    case "TSLiteralType":
      return literalType(at, node);
    case "TSTypeLiteral":
      return ofSignature(at, node.members) ?? { kind: "record", fields: fieldsOf(at, node.members) };
    case "TSUnionType":
      return union(at, node, node.types);
    case "TSIntersectionType":
      return intersection(at, node, node.types);
    case "TSTypeReference":
      return reference(at, node);
  }
  return problem(at, node, "FC2101", "this type cannot be modelled", advice);
}

const advice =
  "use `string`, `number`, `Int`, `bigint`, `boolean`, unions of string literals, arrays, object types, `| null` or optional fields";

function problem(
  at: Reading,
  node: { readonly start: number; readonly end: number },
  code: FrontCode,
  message: string,
  help?: string,
): never {
  return refuse({ file: at.module.source.path, start: node.start, end: node.end }, code, message, help);
}

function element(at: Reading, node: TSType): Ty {
  const type = read(at, node);
  if (type.kind === "option" && type.value.kind === "option")
    problem(
      at,
      node,
      "FC2101",
      "`null` and `undefined` cannot both be elements of a list",
      "use one of them",
    );
  return type;
}

function literalType(at: Reading, node: Extract<TSType, { type: "TSLiteralType" }>): Ty {
  const { literal } = node;
  if (literal.type === "Literal") {
    if (typeof literal.value === "string") return { kind: "enum", values: [literal.value] };
    if (typeof literal.value === "boolean") return bool;
    if (literal.value === null) return nullTy;
  }
  return problem(
    at,
    node,
    "FC2101",
    "only strings can be literal types",
    "use `number` and state the bound in `requires` or `ensures`",
  );
}

function fieldsOf(at: Reading, members: readonly TSSignature[]): TyField[] {
  const fields: TyField[] = [];
  for (const member of members) {
    if (member.type !== "TSPropertySignature" || member.computed)
      return problem(
        at,
        member,
        "FC2101",
        "only plain fields can be modelled",
        "write `name: type`, or use an array of `{ key, value }`",
      );
    const { key } = member;
    const name =
      key.type === "Identifier"
        ? key.name
        : key.type === "Literal" && typeof key.value === "string"
          ? key.value
          : undefined;
    if (name === undefined) return problem(at, key, "FC2101", "the name of a field is a word or a string");
    if (!member.typeAnnotation)
      return problem(at, member, "FC2102", `the field \`${name}\` needs a type`, `write \`${name}: string\``);
    const type = read(at, member.typeAnnotation.typeAnnotation);
    fields.push({ name, type: member.optional ? asOptional(type) : type });
  }
  return fields;
}

function union(at: Reading, node: TSType, parts: readonly TSType[]): Ty {
  let joined: Ty | undefined;
  for (const type of withoutManyTexts(parts.map((part) => read(at, part)))) {
    // `number | Int` is a number, but `string | number` is nothing that could be modelled.
    const wider: Ty | undefined = joined === undefined ? type : joinUnion(joined, type);
    if (wider === undefined)
      return problem(
        at,
        node,
        "FC2101",
        "this union has members of different kinds",
        "use a union of string literals, or an object with optional fields",
      );
    joined = wider;
  }
  return joined ?? problem(at, node, "FC2101", "this union has no members");
}

/** Texts that stand next to one another as one type: to join them one by one would look at each of them again and again. */
function withoutManyTexts(types: readonly Ty[]): Ty[] {
  const found: Ty[] = [];
  let texts: string[] | undefined;
  for (const type of types) {
    if (type.kind !== "enum") {
      found.push(type);
      texts = undefined;
    } else if (texts === undefined) {
      texts = [...type.values];
      found.push({ kind: "enum", values: texts });
    } else append(texts, type.values);
  }
  return found.map((type) =>
    type.kind === "enum" ? { kind: "enum", values: [...new Set(type.values)] } : type,
  );
}

function joinUnion(a: Ty, b: Ty): Ty | undefined {
  // A union of object types would have to be told apart by its fields.
  if (a.kind === "record" && b.kind === "record") return undefined;
  return joinTy(a, b);
}

function intersection(at: Reading, node: TSType, parts: readonly TSType[]): Ty {
  const fields = new Map<string, Ty>();
  for (const part of parts) {
    const type = read(at, part);
    if (type.kind !== "record")
      return problem(at, node, "FC2101", "only object types can be combined with `&`");
    for (const one of type.fields) fields.set(one.name, one.type);
  }
  return { kind: "record", fields: [...fields].map(([name, type]) => ({ name, type })) };
}

function reference(at: Reading, node: TSTypeReference): Ty {
  const { typeName } = node;
  const args = node.typeArguments?.params ?? [];
  const [first] = args;
  if (typeName.type === "Identifier" && !at.module.types.has(typeName.name)) {
    switch (typeName.name) {
      case "Array":
      case "ReadonlyArray":
        if (first !== undefined) return listTy(element(at, first));
        break;
      case "Promise":
        if (first !== undefined) return read(at, first);
        break;
      case "Record":
        if (args.length === 2) return recordByKeys(at, node);
        break;
      case "Readonly":
      case "Required":
      case "Partial":
        if (first !== undefined) return mapped(at, typeName.name, read(at, first), node);
        break;
    }
  }
  const entry = lookUp(at, typeName);
  if (entry === undefined) {
    const name = nameOf(typeName);
    const near = closest(name, at.module.types.keys());
    return problem(
      at,
      node,
      "FC2103",
      `there is no type \`${name}\` here that could be modelled`,
      near ? `did you mean \`${near}\`?` : advice,
    );
  }
  return entryType(at, entry, node);
}

/** `Record<K, T>`: known keys are fields, and any others make a map. */
function recordByKeys(at: Reading, node: TSTypeReference): Ty {
  const [first, second] = node.typeArguments?.params ?? [];
  if (first === undefined || second === undefined) return problem(at, node, "FC2101", advice);
  const [keys, value] = [read(at, first), read(at, second)];
  if (keys.kind === "enum")
    return { kind: "record", fields: keys.values.map((name) => ({ name, type: value })) };
  if (keys.kind !== "string" && keys.kind !== "real")
    return problem(at, first, "FC2101", "the keys of a `Record` are strings", "write `Record<string, …>`");
  return mapOfValues(at, value, second);
}

/** `{ [key: string]: T }` and nothing else. */
function ofSignature(at: Reading, members: readonly TSSignature[]): Ty | undefined {
  const [only] = members;
  if (members.length !== 1 || only?.type !== "TSIndexSignature") return undefined;
  const value = only.typeAnnotation.typeAnnotation;
  return mapOfValues(at, read(at, value), value);
}

/** A key whose value is `undefined` is taken for one that is not there, as in a field. */
function mapOfValues(at: Reading, value: Ty, node: TSType): Ty {
  const held = value.kind === "option" && value.absent === "undefined" ? value.value : value;
  if (held.kind === "option" && held.value.kind === "option")
    problem(at, node, "FC2101", "`null` and `undefined` cannot both be values of a map", "use one of them");
  return mapTy(held);
}

function mapped(at: Reading, name: string, type: Ty, node: TSType): Ty {
  if (name === "Readonly" || type.kind === "map") return type;
  if (type.kind !== "record") return problem(at, node, "FC2101", `\`${name}\` takes an object type`);
  return {
    kind: "record",
    fields: type.fields.map((one) => ({
      name: one.name,
      type:
        name === "Partial"
          ? asOptional(one.type)
          : one.type.kind === "option" && one.type.absent === "undefined"
            ? one.type.value
            : one.type,
    })),
  };
}

function nameOf(name: TSTypeName): string {
  if (name.type === "Identifier") return name.name;
  return name.type === "TSQualifiedName" ? `${nameOf(name.left)}.${name.right.name}` : "this";
}

function lookUp(at: Reading, name: TSTypeName): TypeEntry | undefined {
  if (name.type === "Identifier") return at.module.types.get(name.name);
  if (name.type !== "TSQualifiedName" || name.left.type !== "Identifier") return undefined;
  const space = at.module.types.get(name.left.name);
  if (space?.kind === "imported" && space.name === "*") return typeOf(space.module, name.right.name);
  if (space?.kind === "package" && space.name === "*") return { kind: "package", name: name.right.name };
  return space?.kind === "foreign" ? space : undefined;
}

function typeOf(module: Module, name: string): TypeEntry | undefined {
  const own = module.types.get(name);
  if (own !== undefined) return own;
  for (const star of module.stars) {
    const found = typeOf(star, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function entryType(at: Reading, entry: TypeEntry, node: TSType): Ty {
  switch (entry.kind) {
    case "package":
      if (entry.name === "Int") return int;
      return problem(at, node, "FC2101", `\`${entry.name}\` is not a type of values`, advice);
    case "foreign":
      return problem(
        at,
        node,
        "FC2101",
        `a type from \`${entry.from}\` cannot be modelled`,
        "write the fields out as an interface in this module",
      );
    case "imported": {
      if (at.open.length > 100) return problem(at, node, "FC2104", "this type refers to itself");
      const found = typeOf(entry.module, entry.name);
      if (found === undefined)
        return problem(at, node, "FC2103", `\`${entry.module.name}\` has no type \`${entry.name}\``);
      return entryType({ ...at, open: [...at.open, entry] }, found, node);
    }
    case "declared":
      return declaredType(at, entry.module, entry.node, node);
  }
}

function declaredType(
  at: Reading,
  module: Module,
  declaration: { readonly type: string } & object,
  node: TSType,
): Ty {
  if (at.open.includes(declaration))
    return problem(
      at,
      node,
      "FC2104",
      "a type that contains itself cannot be modelled",
      "keep lists of plain fields, with an id to refer to another",
    );
  const inner: Reading = { module, open: [...at.open, declaration], size: at.size };
  // SAFETY: only interfaces and type aliases are ever entered as declared types.
  const found = declaration as
    | import("oxc-parser").TSInterfaceDeclaration
    | import("oxc-parser").TSTypeAliasDeclaration;
  if (found.typeParameters)
    return problem(at, node, "FC2101", "a type with parameters cannot be modelled", "write the type out");
  if (found.type === "TSTypeAliasDeclaration") return read(inner, found.typeAnnotation);
  const fields = new Map<string, TyField>();
  for (const parent of found.extends ?? []) {
    const { expression } = parent;
    const entry = expression.type === "Identifier" ? module.types.get(expression.name) : undefined;
    const type = entry && entryType(inner, entry, node);
    if (type?.kind !== "record")
      return problem(at, node, "FC2101", "an interface can only extend an interface of a tool module");
    for (const one of type.fields) fields.set(one.name, one);
  }
  const byKey = fields.size === 0 ? ofSignature(inner, found.body.body) : undefined;
  if (byKey !== undefined) return byKey;
  for (const one of fieldsOf(inner, found.body.body)) fields.set(one.name, one);
  return { kind: "record", fields: [...fields.values()] };
}
