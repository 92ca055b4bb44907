/**
 * The row type of `label "x"`: the fields that every tool with the label has, with a common supertype. The checker
 * types rows by it and the evaluator projects arguments to it. Part of what must be trusted.
 */
import type { Tool } from "./document.ts";
import { type Field, fieldOf, join, type RecordType, recordOf } from "./type.ts";
import { type RecordValue, record } from "./value.ts";

const known = new WeakMap<readonly Tool[], RecordType>();

export function labelRowType(tools: readonly Tool[]): RecordType {
  const before = known.get(tools);
  if (before !== undefined) return before;
  const [first, ...others] = tools.map((tool) => recordOf(tool.params));
  const type = recordOf(others.reduce<readonly Field[]>(common, first?.fields ?? []));
  known.set(tools, type);
  return type;
}

export function labelRow(args: RecordValue, type: RecordType): RecordValue {
  return record(Object.entries(args.fields).filter(([name]) => fieldOf(type, name) !== undefined));
}

function common(fields: readonly Field[], other: RecordType): readonly Field[] {
  return fields.flatMap((field) => {
    const theirs = fieldOf(other, field.name);
    const type = theirs && join(field.type, theirs.type);
    if (theirs === undefined || type === undefined) return [];
    const { name } = field;
    return [field.optional || theirs.optional ? { name, type, optional: true } : { name, type }];
  });
}
