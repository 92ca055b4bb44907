/** Types are removed, code stays, and lines stay where they were. */
import { describe, expect, test } from "vitest";
import { eraseTypes } from "./erase-types.ts";

function erased(text: string): string {
  const found = eraseTypes("a.ts", text);
  if (!found.ok) throw new Error(`${found.line}: ${found.message}`);
  expect(found.text.split("\n").length).toBe(text.split("\n").length);
  return found.text;
}

/** Each: TypeScript, and the JavaScript, with any blanks between words. */
test.each([
  ["const a: number = 1;", "const a = 1;"],
  ["let a!: number;", "let a ;"],
  ["function f<T>(a?: T, ...r: T[]): asserts a is T {}", "function f (a , ...r ) {}"],
  ["function f(this: X, a: string) {}", "function f( a ) {}"],
  ["function f(this: X) {}", "function f( ) {}"],
  [
    "const f = async <T,>({ a }: { a?: T } = {}): Promise<T> => a as T;",
    "const f = async ({ a } = {}) => a ;",
  ],
  ["const f = (a?: string) => a!.length! + 1;", "const f = (a ) => a .length + 1;"],
  ["f(a satisfies B, <C>d, e<F>(g), h<I>);", "f(a , d, e (g), h );"],
  ["const x = { a, b: c as D } as const;", "const x = { a, b: c } ;"],
  ["type A = 1; interface B { c: 1 } declare const d: 1; declare function e(): void; f();", "; ; ; ; f();"],
  ["declare module 'x' { const y: 1 } declare enum E { A } declare global {} f();", "; ; ; f();"],
  ["export type A = 1; export interface B {} export const c = 1;", "; ; export const c = 1;"],
  ["export default interface A {}", ";"],
  [
    "export type { A } from './a'; export { type B, c } from './b'; export type * from './d';",
    "; export { c } from './b'; ;",
  ],
  ["import type { A } from './a'; import { type B, c } from './b'; c();", "; import { c } from './b'; c();"],
  ["import { A, b } from './a'; let x: A = b();", "import { b } from './a'; let x = b();"],
  ["import { b, A } from './a'; let x: A = b();", "import { b, } from './a'; let x = b();"],
  ["import { A } from './a'; let x: A;", "; let x ;"],
  [
    "import './a'; import * as b from 'b'; import c from 'c'; b(c);",
    "import './a'; import * as b from 'b'; import c from 'c'; b(c);",
  ],
  ["import { a } from 'a'; export { a };", "import { a } from 'a'; export { a };"],
  ["import { a } from 'a'; const o = { a };", "import { a } from 'a'; const o = { a };"],
  ["import { a } from 'a'; const o = { a: 1 }; o.b;", "; const o = { a: 1 }; o.b;"],
  ["function f(a: 1): void; function f(a: any) {}", "; function f(a ) {}"],
  [
    "abstract class A<T> extends B<T> implements C, D { private readonly x?: number = 1; y!: string; static w?: string; declare z: 1; [k: string]: unknown; abstract m(): void; public async n?(): Promise<void> {} override get o(): 1 { return 1 } }",
    "class A extends B { x = 1; y ; static w ; ; ; ; async n () {} get o() { return 1 } }",
  ],
  [
    "class A { static readonly #b: number = 1; 'readonly'?: string; }",
    "class A { static #b = 1; 'readonly' ; }",
  ],
  ["const a = /* : string */ b; // as c", "const a = /* : string */ b; // as c"],
  ["const s = `\u0024{a as string} as b: c`;", "const s = `\u0024{a } as b: c`;"],
  [
    "for (const a of b as C[]) {} try {} catch (e: unknown) {}",
    "for (const a of b ) {} try {} catch (e ) {}",
  ],
  [
    "const g = function* <T>(a: T): Generator<T> { yield a as T; };",
    "const g = function* (a ) { yield a ; };",
  ],
  ["label: for (;;) break label;", "label: for (;;) break label;"],
  ["const t = a ? (b as C) : d;", "const t = a ? (b ) : d;"],
])("%s", (text, expected) => {
  expect(words(erased(text))).toBe(words(expected));
});

/** Blanks between signs do not matter. */
function words(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/ (?=[,;)(.])/g, "")
    .trim();
}

describe("lines", () => {
  test("a type over several lines before an arrow", () => {
    const text =
      "const f = async (a: {\n  b: string;\n}): Promise<{\n  c: string;\n}> => {\n  return g(a);\n};";
    const found = erased(text);
    expect(() => new Function(found)).not.toThrow();
    expect(found.split("\n")[5]).toBe("  return g(a);");
  });

  test("statements do not grow together", () => {
    for (const text of [
      "const a = b\ntype C = 1\n(d)()",
      "const a = b as C\n(d)()",
      "const a = b!\n;[d]",
      "a as B // c\n[d].e()",
    ]) {
      const found = erased(text);
      expect(found).toMatch(/;/);
      expect(() => new Function(found)).not.toThrow();
    }
  });

  test("an arrow in a comment is none", () => {
    expect(words(erased("const f = (): A /* => */ => 1;"))).toBe(words("const f = () /* => */ => 1;"));
  });
});

test.each([
  ["enum A { B }", "an `enum` is more than a type"],
  ["namespace A { export const b = 1 }", "a namespace is more than a type"],
  ["class A { constructor(private b: string) {} }", "a parameter property is more than a type"],
  ["import a = require('a');", "use `import … from`"],
  ["export = a;", "use `export default`"],
  ["@a class B {}", "decorators are not part"],
  ["\n\nconst = ;", "Unexpected token"],
])("%s is refused", (text, message) => {
  const found = eraseTypes("a.ts", text);
  expect(found).toMatchObject({ ok: false, message: expect.stringContaining(message) });
  if (!found.ok) expect(found.line).toBe(text.split("\n").length);
});

/** Each: TypeScript, and its imports; `*` for those that may be of any module. */
test.each([
  ["import { a, b as c } from 'x'; a(c);", [{ from: "x", names: ["a", "b"] }]],
  ["import d from 'x'; d();", [{ from: "x", names: undefined }]],
  ["import * as e from 'x'; e.f();", [{ from: "x", names: undefined }]],
  [
    "import { type T, a } from 'x'; import 'y'; a();",
    [
      { from: "x", names: ["a"] },
      { from: "y", names: [] },
    ],
  ],
  ["export { a } from 'x';", [{ from: "x", names: undefined }]],
  ["export * from 'x';", [{ from: "x", names: undefined }]],
  ["const a = await import('x');", [{ from: "*", names: undefined }]],
])("tells what %s imports", (text, imports) => {
  expect(eraseTypes("a.ts", text)).toMatchObject({ ok: true, imports });
});
