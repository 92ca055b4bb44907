/**
 * Classes without a superclass. An object of one is a local object: its fields are slots like those of any other, and its
 * methods and getters are looked up in the class, so that they are no fields.
 */
import type { Class, ClassElement, MethodDefinition, Node, PropertyDefinition } from "oxc-parser";
import { Scope } from "../scope.ts";
import type { FunctionNode, Module } from "../syntax.ts";
import {
  type ClassVal,
  type FunctionVal,
  type RefVal,
  type Shape,
  undefinedVal,
  type Val,
} from "../value.ts";
import { writtenType } from "./annotation.ts";
import type { Lowering } from "./core.ts";
import { hinted } from "./data.ts";
import { isErrorClass, newError, wrongInErrorClass } from "./error-class.ts";
import { expression } from "./expression.ts";
import { callFunction } from "./function.ts";

type At = { readonly start: number; readonly end: number };

const plainObjects = "write a function that makes a plain object, and functions that take it";

/** The class that is declared, if it is of a form that is part of the language. */
export function classOf(low: Pick<Lowering, "refuse">, node: Class, scope: Scope, module: Module): ClassVal {
  const wrong = wrongInClass(node);
  if (wrong !== undefined) low.refuse(wrong.at, "FC2304", wrong.message, wrong.help);
  return { kind: "class", node, scope, module, name: node.id?.name ?? "class" };
}

/** A class that is declared in a function: it is there from here on, and its static fields are made here, once. */
export function declaredClass(low: Lowering, node: Class, scope: Scope): void {
  makeStatics(low, classOf(low, node, scope, low.module), (made) => {
    scope.set(made.name, { kind: "const", value: made });
  });
}

/** Makes the static fields of a class, in the order in which they stand; the class has its name before the first of them. */
export function makeStatics(low: Lowering, of: ClassVal, named: (made: ClassVal) => void): void {
  const statics = new Map<string, Val>();
  const made = { ...of, statics };
  named(made);
  for (const one of propertiesOf(made))
    if (one.static) statics.set(nameIn(one) ?? "", plainStatic(low, fieldValue(low, made, one, made), one));
}

/** The first part of a class that is not part of the language. */
export function wrongInClass(
  node: Class,
): { readonly at: Node; readonly message: string; readonly help: string } | undefined {
  if (isErrorClass(node)) return wrongInErrorClass(node);
  if (node.superClass) {
    const message = "a class that extends another is not part of the language, unless it extends `Error`";
    return { at: node.superClass, message, help: plainObjects };
  }
  if (node.decorators.length > 0 || node.abstract) {
    const message = "decorators and abstract classes are not part of the language";
    return { at: node, message, help: plainObjects };
  }
  const other = node.body.body.find((one) => !isKnownElement(one));
  if (other === undefined) return undefined;
  const message =
    "a class has fields, a constructor, methods and getters with names that are written out, and nothing else";
  return { at: other, message, help: "write it as a method" };
}

function isKnownElement(one: ClassElement): boolean {
  if (one.type === "MethodDefinition") return nameIn(one) !== undefined && one.kind !== "set";
  return one.type === "PropertyDefinition" && nameIn(one) !== undefined;
}

function nameIn({ key, computed }: MethodDefinition | PropertyDefinition): string | undefined {
  if (computed) return undefined;
  if (key.type === "PrivateIdentifier") return `#${key.name}`;
  return key.type === "Identifier" ? key.name : undefined;
}

function methodsOf({ node }: ClassVal): MethodDefinition[] {
  return node.body.body.filter((one): one is MethodDefinition => one.type === "MethodDefinition");
}

function propertiesOf({ node }: ClassVal): PropertyDefinition[] {
  return node.body.body.filter((one): one is PropertyDefinition => one.type === "PropertyDefinition");
}

/** `new`: first the fields, in the order written, then the constructor. */
export function newInstance(low: Lowering, of: ClassVal, args: readonly Val[], node: Node): Val {
  if (isErrorClass(of.node)) return newError(low, of, args, node);
  const maker = methodsOf(of).find(({ kind }) => kind === "constructor")?.value;
  const properties = propertiesOf(of).filter((one) => !one.static);
  const fields = new Map<string, number>();
  for (const name of [...fieldParameters(maker), ...properties.map((one) => nameIn(one) ?? "")])
    fields.set(name, low.newSlot(undefinedVal));
  const self: RefVal = { kind: "ref", shape: { kind: "object", fields, of } };
  low.shared.add(self);
  if (maker !== undefined) setParameters(low, maker, fields, args);
  for (const one of properties) {
    const slot = fields.get(nameIn(one) ?? "");
    if (slot !== undefined && one.value) low.state.set(slot, fieldValue(low, of, one, self));
  }
  if (maker !== undefined) callFunction(low, functionOf(of, maker, "constructor", self), args, node);
  return self;
}

/** `constructor(private readonly limit: number)`: a parameter that is a field too. */
function fieldParameters(maker: FunctionNode | undefined): string[] {
  return (maker?.params ?? []).flatMap((param) =>
    param.type === "TSParameterProperty" ? [parameterName(param.parameter)] : [],
  );
}

function parameterName(pattern: Node): string {
  const inner = pattern.type === "AssignmentPattern" ? pattern.left : pattern;
  return inner.type === "Identifier" ? inner.name : "";
}

function setParameters(
  low: Lowering,
  maker: FunctionNode,
  fields: ReadonlyMap<string, number>,
  args: readonly Val[],
): void {
  maker.params.forEach((param, i) => {
    if (param.type !== "TSParameterProperty") return;
    const slot = fields.get(parameterName(param.parameter));
    if (param.parameter.type === "AssignmentPattern") refuseDefault(low, param);
    if (slot !== undefined) low.state.set(slot, args[i] ?? undefinedVal);
  });
}

export function refuseDefault(low: Lowering, param: At): never {
  return low.refuse(
    param,
    "FC2304",
    "a parameter that is a field has no default here",
    "declare the field, and set it in the constructor",
  );
}

function fieldValue(low: Lowering, of: ClassVal, one: PropertyDefinition, self: Val): Val {
  if (!one.value) return undefinedVal;
  const scope = new Scope(of.scope);
  scope.set("this", { kind: "const", value: self });
  const { module } = low;
  low.module = of.module;
  try {
    const type = one.typeAnnotation ? writtenType(low, one.typeAnnotation.typeAnnotation) : undefined;
    return hinted(low, expression(low, scope, one.value, nameIn(one)), type);
  } finally {
    low.module = module;
  }
}

function functionOf(of: ClassVal, node: FunctionNode, name: string, self?: Val): FunctionVal {
  const { scope, module } = of;
  return { kind: "function", node, scope, module, name, ...(self === undefined ? {} : { self }) };
}

/**
 * A method of an object, the value of a getter of it, or what is static in the class itself.
 * A static field is what it was made with: nothing can set it.
 */
export function memberOfClass(
  low: Lowering,
  of: ClassVal,
  self: RefVal | ClassVal,
  name: string,
  node: At,
): Val | undefined {
  const isStatic = self.kind === "class";
  const method = methodsOf(of).find(
    (one) => one.static === isStatic && one.kind !== "constructor" && nameIn(one) === name,
  );
  if (method?.kind === "get") return callFunction(low, functionOf(of, method.value, name, self), [], node);
  if (method !== undefined) return functionOf(of, method.value, name);
  const field = propertiesOf(of).find((one) => one.static && nameIn(one) === name);
  return isStatic && field !== undefined ? staticField(of, field) : undefined;
}

function staticField(of: ClassVal, field: PropertyDefinition): Val {
  // One that comes further down in the class has no value yet.
  return of.statics?.get(nameIn(field) ?? "") ?? undefinedVal;
}

/** SOUNDNESS: only plain data, since an array or object would be a new one each time that it is asked for. */
function plainStatic(low: Lowering, value: Val, node: At): Val {
  if (value.kind === "data" || value.kind === "function") return value;
  return low.refuse(
    node,
    "FC2304",
    "a static field holds a text, a number or a boolean here",
    "make it a `const` beside the class",
  );
}

/** Refuses to take the fields of an object of a class for those of a plain one. */
export function plainFields(
  low: Lowering,
  shape: Shape & { readonly kind: "object" },
  node: At,
): ReadonlyMap<string, number> {
  if (shape.of === undefined) return shape.fields;
  return low.refuse(
    node,
    "FC2304",
    `an object of the class \`${shape.of.name}\` cannot be passed on as a value`,
    "write out an object with the fields that are meant",
  );
}

/** `this`: the object that a method was called on. */
export function thisObject(low: Lowering, scope: Scope, node: At): Val {
  const binding = scope.get("this");
  if (binding?.kind === "const") return binding.value;
  return low.refuse(
    node,
    "FC2304",
    "`this` is no object here, since the function is not called as a method",
    "call it as `object.method(…)`, or write an arrow function",
  );
}
