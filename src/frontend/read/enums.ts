/** `enum` declarations: their members and values, as TypeScript numbers them. */
import type { TSEnumDeclaration } from "oxc-parser";
import { add, type Num } from "../../ir/index.ts";
import { numberOf } from "./types.ts";

type Place = { readonly start: number; readonly end: number };
type Refuse = (place: Place, message: string, help: string) => never;

export interface EnumMember {
  readonly name: string;
  readonly value: string | Num;
}

export function enumMembers(node: TSEnumDeclaration, refuse: Refuse): readonly EnumMember[] {
  let next: Num | undefined = 0n;
  return node.body.members.map((member) => {
    const { id, initializer } = member;
    const name = id.type === "Identifier" ? id.name : id.type === "Literal" ? String(id.value) : undefined;
    if (name === undefined || name === "__proto__")
      return refuse(
        member,
        "the name of a member of an `enum` is a word",
        'write `enum Color { Red = "red" }`',
      );
    const value: string | Num | undefined = !initializer
      ? next
      : initializer.type === "Literal" && typeof initializer.value === "string"
        ? initializer.value
        : numberOf(initializer);
    if (value === undefined)
      return refuse(
        member,
        "the value of a member of an `enum` is a string or a number that is written out",
        'write `Red = "red"`',
      );
    next = typeof value === "string" ? undefined : add(value, 1n);
    return { name, value };
  });
}
