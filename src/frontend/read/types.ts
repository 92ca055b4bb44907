/** TypeScript's types, as far as values of a run can have them. Everything else is refused at its place. */
import type {
  Expression,
  Node,
  TSEnumDeclaration,
  TSSignature,
  TSType,
  TSTypeName,
  TSTypeParameter,
  TSTypeReference,
} from "oxc-parser";
import { append, closest, type Num, negate, numOfJs } from "../../ir/index.ts";
import type { FrontCode } from "../codes.ts";
import { refuse } from "../refusal.ts";
import { bare, type Module, type TypeEntry } from "../syntax.ts";
import {
  asOptional,
  bigint,
  bool,
  fieldTy,
  int,
  isNothing,
  isNumber,
  isOptional,
  joinTy,
  json,
  listTy,
  mapTy,
  nullTy,
  real,
  sameTy,
  string,
  type Ty,
  type TyField,
  tupleTy,
  undefinedTy,
} from "../ty.ts";
import { enumMembers } from "./enums.ts";

interface Reading {
  readonly module: Module;
  /** Declarations under way: meeting one again is a recursive type. */
  readonly open: readonly unknown[];
  /** Its values pass between a tool or a caller and the program. */
  readonly boundary: boolean;
  /** The parameters of a generic type, as they are given. */
  readonly given: ReadonlyMap<string, Ty>;
  /** Number of parts of the whole type so far. */
  readonly size: { parts: number };
}

/** LIMIT: of one type, with all its names written out: each may double what another stands for. */
const mostParts = 100_000;

/** @param boundary whether its values pass between a tool or a caller and the program */
export function readType(module: Module, node: TSType, boundary = true): Ty {
  return read({ module, boundary, open: [], given: new Map(), size: { parts: 0 } }, node);
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
    case "TSObjectKeyword":
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
      if (node.operator === "keyof") return keysOf(at, node, read(at, node.typeAnnotation));
      break;
    case "TSTupleType":
      return tupleType(at, node);
    case "TSIndexedAccessType":
      return partOf(at, node, read(at, node.objectType), read(at, node.indexType));
    case "TSTypeQuery":
      return queried(at, node);
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

type Place = { readonly start: number; readonly end: number };

const advice =
  "use `string`, `number`, `Int`, `bigint`, `boolean`, unions of string literals, arrays, object types, `| null` or optional fields";

function problem(at: Reading, node: Place, code: FrontCode, message: string, help?: string): never {
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
  const value = numberOf(literal);
  if (value !== undefined) return { kind: typeof value === "bigint" ? "int" : "real", values: [value] };
  return problem(at, node, "FC2101", "only strings and numbers can be literal types", advice);
}

/** The number that is written out, with its sign. */
export function numberOf(node: Node): Num | undefined {
  if (node.type === "UnaryExpression" && node.operator === "-") {
    const value = numberOf(node.argument);
    return value === undefined ? undefined : negate(value);
  }
  return node.type === "Literal" && typeof node.value === "number" && Number.isFinite(node.value)
    ? numOfJs(node.value)
    : undefined;
}

/** An array of known length. Where its values cross a boundary, they are arrays, which the run checks. */
function tupleType(at: Reading, node: Extract<TSType, { type: "TSTupleType" }>): Ty {
  const types = node.elementTypes.map((one) => {
    const inner = one.type === "TSNamedTupleMember" && !one.optional ? one.elementType : one;
    if (inner.type === "TSRestType" || inner.type === "TSOptionalType" || inner.type === "TSNamedTupleMember")
      return problem(at, one, "FC2101", "each element of a tuple must be there", "use an array");
    return read(at, inner);
  });
  const [first] = types;
  if (first === undefined || types.length > 16 || types.some(isOptional))
    return problem(
      at,
      node,
      "FC2101",
      "a tuple has 1 to 16 elements, and each of them is there",
      "use an array",
    );
  const tuple = tupleTy(types);
  return at.boundary ? { kind: "json", of: [tuple] } : tuple;
}

/** `keyof T`: the names of its fields. */
function keysOf(at: Reading, node: TSType, type: Ty): Ty {
  if (type.kind !== "record" || type.tuple || type.fields.length === 0)
    return problem(at, node, "FC2101", "`keyof` takes an object type with known fields", advice);
  return { kind: "enum", values: type.fields.map((one) => one.name) };
}

/** `T["field"]` and `T[number]`. */
function partOf(at: Reading, node: TSType, of: Ty, index: Ty): Ty {
  if (of.kind === "list" && isNumber(index)) return of.element;
  if (of.kind === "record" && of.tuple && isNumber(index))
    return unionOf(
      at,
      node,
      of.fields.map((one) => one.type),
    );
  if (of.kind === "record" && index.kind === "enum") {
    const parts = index.values.map((name) => fieldTy(of, name));
    if (parts.every((part) => part !== undefined)) return unionOf(at, node, parts);
  }
  return problem(
    at,
    node,
    "FC2101",
    "this part of the type cannot be modelled",
    "write the type of the field out",
  );
}

/** `typeof X`, of a constant of the module that is written out. */
function queried(at: Reading, node: Extract<TSType, { type: "TSTypeQuery" }>): Ty {
  const { exprName } = node;
  const found = exprName.type === "Identifier" ? constantOf(at.module, exprName.name) : undefined;
  const type = found && writtenTy(at, found);
  return (
    type ?? problem(at, node, "FC2101", "`typeof` takes a constant that is written out in this file", advice)
  );
}

function constantOf(module: Module, name: string): Expression | undefined {
  for (const node of module.source.program.body) {
    const inner = node.type === "ExportNamedDeclaration" ? node.declaration : node;
    if (inner?.type !== "VariableDeclaration" || inner.kind !== "const") continue;
    for (const { id, init } of inner.declarations)
      if (id.type === "Identifier" && id.name === name && init) return init;
  }
  return undefined;
}

/** The type of a literal, as `as const` has it. */
function writtenTy(at: Reading, node: Expression): Ty | undefined {
  const inner = bare(node);
  if (inner.type === "TSAsExpression" || inner.type === "TSSatisfiesExpression")
    return writtenTy(at, inner.expression);
  if (inner.type === "Literal" && typeof inner.value === "string")
    return { kind: "enum", values: [inner.value] };
  if (inner.type === "Literal" && typeof inner.value === "boolean") return bool;
  const number = numberOf(inner);
  if (number !== undefined) return { kind: typeof number === "bigint" ? "int" : "real", values: [number] };
  if (inner.type === "ArrayExpression") {
    const parts = inner.elements.map((one) =>
      one === null || one.type === "SpreadElement" ? undefined : writtenTy(at, one),
    );
    if (parts.length === 0 || !parts.every((part) => part !== undefined)) return undefined;
    return listTy(unionOf(at, { start: node.start, end: node.end }, parts));
  }
  if (inner.type !== "ObjectExpression") return undefined;
  const fields: TyField[] = [];
  for (const one of inner.properties) {
    if (one.type === "SpreadElement" || one.computed) return undefined;
    const name =
      one.key.type === "Identifier" ? one.key.name : one.key.type === "Literal" ? String(one.key.value) : "";
    const type = writtenTy(at, one.value);
    if (type === undefined || name === "") return undefined;
    fields.push({ name, type });
  }
  return { kind: "record", fields };
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
  return unionOf(
    at,
    node,
    parts.map((part) => read(at, part)),
  );
}

function unionOf(at: Reading, node: Place, types: readonly Ty[]): Ty {
  const parts = withNumbers(withoutManyTexts(types));
  let joined: Ty | undefined;
  for (const type of parts) {
    const wider: Ty | undefined = joined === undefined ? type : joinUnion(joined, type);
    if (wider === undefined) return ofKinds(at, node, parts);
    joined = wider;
  }
  return joined ?? problem(at, node, "FC2101", "this union has no members");
}

/** Values of different kinds are JSON values, of which the run knows the kinds. `undefined` is none of them. */
function ofKinds(at: Reading, node: Place, parts: readonly Ty[]): Ty {
  const of = parts.flatMap(alternatives).filter((one) => !(isOptional(one) && isNothing(one)));
  if (of.some((one) => one.kind === "bigint" || one.kind === "never"))
    return problem(at, node, "FC2101", "a `bigint` cannot be in a union with other kinds", "use `number`");
  const type: Ty = of.some((one) => one.kind === "json") ? json : { kind: "json", of };
  return parts.some(isOptional) ? asOptional(type) : type;
}

function alternatives(type: Ty): readonly Ty[] {
  if (type.kind === "json") return type.of ?? [type];
  if (type.kind !== "option" || isNothing(type)) return [type];
  return [...alternatives(type.value), type.absent === "null" ? nullTy : undefinedTy];
}

/** Numbers that are written out, as one type. */
function withNumbers(types: readonly Ty[]): Ty[] {
  const numbers = types.flatMap((type) => (isNumber(type) ? (type.values ?? []) : []));
  const others = types.filter((type) => !(isNumber(type) && type.values !== undefined));
  if (numbers.length === 0 || others.some(isNumber)) return others;
  const isInt = numbers.every((one) => typeof one === "bigint");
  return [{ kind: isInt ? "int" : "real", values: numbers }, ...others];
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
  // Object types are told apart by their fields, and so are lists of them.
  const [left, right] = [innermost(a), innermost(b)];
  if (left.kind === "record" && right.kind === "record" && !sameTy(left, right)) return undefined;
  if (left.kind === "json" && left.of !== undefined) return undefined;
  if (right.kind === "json" && right.of !== undefined) return undefined;
  return joinTy(a, b);
}

function innermost(type: Ty): Ty {
  if (type.kind === "option" && !isNothing(type)) return innermost(type.value);
  return type.kind === "list" ? innermost(type.element) : type;
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
  const parameter = typeName.type === "Identifier" ? at.given.get(typeName.name) : undefined;
  if (parameter !== undefined) return parameter;
  if (typeName.type === "Identifier" && !at.module.types.has(typeName.name)) {
    const utility = utilityType(at, typeName.name, args, node);
    if (utility !== undefined) return utility;
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
        if (first !== undefined && typeName.name === "Partial" && !at.boundary && isRecordOf(first)) {
          // Which keys it gets, and in which order, is only known in the run.
          const [, value] = first.typeArguments?.params ?? [];
          if (value !== undefined) return mapOfValues(at, read(at, value), value);
        }
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

/** The types of TypeScript's own library that make a type of known fields from others. */
function utilityType(at: Reading, name: string, args: readonly TSType[], node: TSType): Ty | undefined {
  const [first, second] = args;
  if (first === undefined) return undefined;
  switch (name) {
    case "Awaited":
      return read(at, first);
    case "NonNullable":
      return withoutNothing(read(at, first));
    case "Pick":
    case "Omit": {
      const type = read(at, first);
      const keys = second && read(at, second);
      if (type.kind !== "record" || keys?.kind !== "enum")
        return problem(at, node, "FC2101", `\`${name}\` takes an object type and names of its fields`);
      const fields = type.fields.filter((one) => keys.values.includes(one.name) === (name === "Pick"));
      return { kind: "record", fields };
    }
    case "Exclude":
    case "Extract": {
      const [from, words] = [read(at, first), second && read(at, second)];
      if (from.kind !== "enum" || words?.kind !== "enum") return undefined;
      const values = from.values.filter((one) => words.values.includes(one) === (name === "Extract"));
      return values.length === 0 ? undefined : { kind: "enum", values };
    }
    default:
      return undefined;
  }
}

function withoutNothing(type: Ty): Ty {
  return type.kind === "option" && !isNothing(type) ? withoutNothing(type.value) : type;
}

function isRecordOf(node: TSType): node is TSTypeReference {
  return (
    node.type === "TSTypeReference" && node.typeName.type === "Identifier" && node.typeName.name === "Record"
  );
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
  if (space?.kind === "declared" && space.node.type === "TSEnumDeclaration") return space;
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
  const before = at.open.indexOf(declaration);
  if (before >= 0 && at.open.slice(before).every(isMereName))
    return problem(at, node, "FC2104", "this type is nothing but itself", "write out what its values are");
  // A type that contains itself is looked into step by step.
  if (before >= 0) return json;
  // SAFETY: only interfaces, type aliases and enums are ever entered as declared types.
  const found = declaration as
    | import("oxc-parser").TSInterfaceDeclaration
    | import("oxc-parser").TSTypeAliasDeclaration
    | import("oxc-parser").TSEnumDeclaration;
  if (found.type === "TSEnumDeclaration") return enumType(at, module, found, node);
  const given = argumentsOf(at, found.typeParameters?.params ?? [], node);
  const inner: Reading = { ...at, module, given, open: [...at.open, declaration] };
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

/** An alias that is another name, and nothing of its own. */
function isMereName(declaration: unknown): boolean {
  // SAFETY: what is open are declarations, of which only the kind is looked at.
  const { type, typeAnnotation } = declaration as { type?: string; typeAnnotation?: { type?: string } };
  return type === "TSTypeAliasDeclaration" && typeAnnotation?.type === "TSTypeReference";
}

/** The types that the parameters of a generic type stand for. */
function argumentsOf(at: Reading, params: readonly TSTypeParameter[], node: TSType): ReadonlyMap<string, Ty> {
  const args = node.type === "TSTypeReference" ? (node.typeArguments?.params ?? []) : [];
  return new Map(
    params.map(({ name, default: otherwise }, i) => {
      const arg = args[i] ?? otherwise;
      if (!arg) return problem(at, node, "FC2101", `the type parameter \`${name.name}\` is not given here`);
      return [name.name, read(at, arg)] as const;
    }),
  );
}

/** The values of an `enum`; `E.A` is the type of one of them. */
function enumType(at: Reading, module: Module, found: TSEnumDeclaration, node: TSType): Ty {
  const members = enumMembers(found, (place, message, help) =>
    refuse({ file: module.source.path, start: place.start, end: place.end }, "FC2101", message, help),
  );
  const named =
    node.type === "TSTypeReference" && node.typeName.type === "TSQualifiedName"
      ? node.typeName.right.name
      : undefined;
  const types = members.flatMap(({ name, value }): Ty[] => {
    if (named !== undefined && members.some((one) => one.name === named) && name !== named) return [];
    if (typeof value === "string") return [{ kind: "enum", values: [value] }];
    return [{ kind: typeof value === "bigint" ? "int" : "real", values: [value] }];
  });
  return unionOf(at, node, types);
}
