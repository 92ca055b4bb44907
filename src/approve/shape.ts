/**
 * Shapes of JSON, as plain data: `wire.ts` is written in them. The types of TypeScript are inferred from a shape, bodies are
 * read by it (`service/read-shape.ts`), and JSON Schema is made from it (`service/json-schema.ts`).
 */

export type Shape =
  | TextShape
  | WordsShape
  | FlagShape
  | NumberShape
  | DataShape
  | ListShape
  | ObjectShape
  | NullableShape
  | NamedShape;

export interface TextShape {
  readonly kind: "text";
  /** Published, and held to when it is read. */
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  /** Held to when it is read, and not published. */
  readonly bounds?: { readonly longest?: number; readonly pattern?: RegExp };
  /** Describes the pattern in words, for the message where a text does not match it. */
  readonly says?: string;
}

export interface WordsShape<W extends string = string> {
  readonly kind: "words";
  readonly words: readonly W[];
}

export interface FlagShape {
  readonly kind: "flag";
}

/** `count`: a whole number from 0 on; `whole`: any whole number; `number`: any number. */
export interface NumberShape {
  readonly kind: "count" | "whole" | "number";
  readonly description?: string;
}

/** An object with any JSON in it; `longest` is that of its text. */
export interface DataShape {
  readonly kind: "data";
  readonly longest?: number;
}

export interface ListShape<S extends Shape = Shape> {
  readonly kind: "list";
  readonly items: S;
  readonly most?: number;
}

/** Known fields only, each once. */
export interface ObjectShape<F extends Fields = Fields> {
  readonly kind: "object";
  readonly fields: F;
}

export interface NullableShape<S extends Shape = Shape> {
  readonly kind: "nullable";
  readonly shape: S;
}

/** A shape that has a name in the description of the service. */
export interface NamedShape<S extends Shape = Shape> {
  readonly kind: "named";
  readonly name: string;
  readonly shape: S;
}

/** An optional field. */
export interface OptionalField<S extends Shape = Shape> {
  readonly kind: "optional";
  readonly shape: S;
}

export type Fields = { readonly [name: string]: Shape | OptionalField };

/** Any JSON value. */
export type Wire = null | boolean | number | string | readonly Wire[] | { readonly [key: string]: Wire };

/** The type of the values that have a shape. */
export type Infer<S extends Shape> =
  S extends NamedShape<infer T>
    ? Infer<T>
    : S extends NullableShape<infer T>
      ? Infer<T> | null
      : S extends ObjectShape<infer F>
        ? InferFields<F>
        : S extends ListShape<infer T>
          ? readonly Infer<T>[]
          : S extends WordsShape<infer W>
            ? W
            : S extends TextShape
              ? string
              : S extends FlagShape
                ? boolean
                : S extends NumberShape
                  ? number
                  : { readonly [name: string]: Wire };

type InferFields<F extends Fields> = Flat<
  {
    readonly [N in keyof F as F[N] extends Shape ? N : never]: F[N] extends Shape ? Infer<F[N]> : never;
  } & {
    readonly [N in keyof F as F[N] extends OptionalField ? N : never]?: F[N] extends OptionalField<infer S>
      ? Infer<S>
      : never;
  }
>;

/** One object type instead of an intersection of two. */
type Flat<T> = { [N in keyof T]: T[N] };

export const text = { kind: "text" } as const satisfies TextShape;
export const flag = { kind: "flag" } as const satisfies FlagShape;
export const count = { kind: "count" } as const satisfies NumberShape;
export const whole = { kind: "whole" } as const satisfies NumberShape;
export const number = { kind: "number" } as const satisfies NumberShape;

export function textOf(rules: Omit<TextShape, "kind">): TextShape {
  return { kind: "text", ...rules };
}

export function words<const W extends string>(all: readonly W[]): WordsShape<W> {
  return { kind: "words", words: all };
}

export function list<S extends Shape>(items: S, most?: number): ListShape<S> {
  return { kind: "list", items, ...(most !== undefined && { most }) };
}

export function object<const F extends Fields>(fields: F): ObjectShape<F> {
  return { kind: "object", fields };
}

export function nullable<S extends Shape>(shape: S): NullableShape<S> {
  return { kind: "nullable", shape };
}

export function named<S extends Shape>(name: string, shape: S): NamedShape<S> {
  return { kind: "named", name, shape };
}

export function optional<S extends Shape>(shape: S): OptionalField<S> {
  return { kind: "optional", shape };
}
