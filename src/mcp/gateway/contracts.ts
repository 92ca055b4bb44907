/** Contracts that need no thought, for the tools of any server: what is called, how often, and with which values. */
import type { CatalogueContract, CatalogueServer } from "../catalogue/entry.ts";
import { recognized, withTools } from "../catalogue/recognize.ts";
import { type Names, typeName } from "./names.ts";
import type { Shape, ShapeField } from "./shape.ts";
import { isNullable, withoutNull } from "./surface.ts";

/** A tool as the module declares it. */
export interface ModuleTool {
  /** The name at the server. */
  readonly name: string;
  /** The name in the module. */
  readonly as: string;
  readonly changes: boolean;
  readonly fields: readonly ShapeField[];
}

/** Fields that say whom or what a call is about, without regard to case and `_`. */
const interesting = new Set(
  [
    "account address baseurl bcc branch bucket cc channel channelid cwd database databaseid databasename db destination dir directory",
    "domain email file filename filepath folder host hostname key namespace org organization owner pageid parentid path",
    "paths project projectid projectslug recipient recipients region remote repo repopath repository room schema source",
    "space table tablename target team teamslug to topath uri uris url urls user userid username workspace workspaceid",
  ]
    .join(" ")
    .split(" "),
);
const pathLike = new Set(
  "cwd destination dir directory file filename filepath folder path paths repopath source topath".split(" "),
);
const urlLike = new Set("baseurl uri uris url urls".split(" "));

/** The tools that take a field of one name. */
interface FieldUse {
  readonly field: string;
  readonly tools: readonly ToolUse[];
}

interface ToolUse {
  readonly as: string;
  /** `other`: the field is neither a text nor a list of them, so its values cannot be named. */
  readonly form: "text" | "list" | "other";
  readonly nullable: boolean;
  readonly optional: boolean;
}

export interface PrintedContracts {
  readonly text: readonly string[];
  /** Words that the module imports for them. */
  readonly words: readonly string[];
  /** The server of the catalogue that it was taken for. */
  readonly recognized?: string;
}

/** @param label the label that every tool of the server has */
export function printContracts(label: string, tools: readonly ModuleTool[], names: Names): PrintedContracts {
  const words = new Set(["contract", "labelled"]);
  const uses = usesOf(tools);
  const text: string[] = [];
  const changing = tools.filter((one) => one.changes);
  if (changing.length > 0)
    text.push(
      declared(
        "It only reads: no tool that may change something is called.",
        "readOnly",
        "()",
        'labelled("changes").none()',
      ),
    );
  const toolNames = tools.map((one) => JSON.stringify(one.as)).join(" | ");
  const never = tools.map((one) => `(!tools.includes(${JSON.stringify(one.as)}) || ${one.as}.none())`);
  text.push(
    declared("None of these tools is called.", "neverCalls", `(tools: (${toolNames})[])`, conjunction(never)),
  );
  const atMost = "callsAtMost";
  text.push(
    declared(
      "The server is called at most so often.",
      atMost,
      "(n: number)",
      `labelled(${JSON.stringify(label)}).count() <= n`,
    ),
  );
  const asked = new Map<string, string>();
  for (const use of uses) {
    const only = names.take(`only${typeName(use.field)}`);
    asked.set(use.field, only);
    const comment = `Every call that takes \`${use.field}\` gives one of these values.`;
    text.push(
      declared(
        comment,
        only,
        "(values: string[])",
        eachValue(use, (on) => `values.includes(${on})`),
      ),
    );
    const inside = pathLike.has(plain(use.field))
      ? "pathInside"
      : urlLike.has(plain(use.field))
        ? "urlInside"
        : undefined;
    if (inside === undefined) continue;
    words.add(inside);
    const below = `Every call that takes \`${use.field}\` gives one of these ${inside === "pathInside" ? "folders" : "addresses"}, or something below one.`;
    const each = eachValue(use, (on) => `roots.some((root) => ${inside}(${on}, root))`);
    text.push(declared(below, names.take(`${lower(typeName(use.field))}Below`), "(roots: string[])", each));
  }
  const server = recognized(tools);
  for (const one of server?.contracts ?? []) {
    for (const word of one.words ?? []) words.add(word);
    text.push(catalogued(one, server, tools, names));
  }
  text.push(declared("Nothing is guaranteed.", "noGuarantees", "()", "true"));
  const policies = coverages(label, changing, uses, asked, atMost, names);
  if (policies.length > 0) words.add("coverage");
  return {
    text: [...text, ...policies],
    words: [...words],
    ...(server && { recognized: server.name }),
  };
}

/** SOUNDNESS: nobody has looked at a tool that the catalogue does not know, so it is not called under such a contract. */
function catalogued(
  { name, says, params, formula }: CatalogueContract,
  server: CatalogueServer | undefined,
  tools: readonly ModuleTool[],
  names: Names,
): string {
  const as = (tool: string) => tools.find((one) => one.name === tool)?.as ?? tool;
  const known = new Set([...Object.keys(server?.tools ?? {}), ...(server?.others ?? [])]);
  const unknown = tools.filter((one) => !known.has(one.name)).map((one) => one.as);
  const comment =
    unknown.length === 0 ? says : `${says} Tools that the catalogue does not know are not called.`;
  const parts = [withTools(formula, as), ...unknown.map((one) => `${one}.none()`)];
  return declared(comment, names.take(name), params, conjunction(parts));
}

function declared(comment: string, name: string, params: string, formula: string): string {
  const isLong = formula.includes("\n");
  return `/** ${comment} */\nexport const ${name} = contract(${params} =>${isLong ? "\n  " : " "}${formula}${isLong ? ",\n" : ""});`;
}

function conjunction(parts: readonly string[]): string {
  return parts.join(" &&\n  ");
}

/**
 * SOUNDNESS: a call without the value does not pass, since the server would choose one; nor does a call that may give it
 * in a form of which nothing is said.
 */
function eachValue({ field, tools }: FieldUse, test: (on: string) => string): string {
  return conjunction(
    tools.map(({ as, form, nullable, optional }) => {
      if (form === "other") return `${as}.none()`;
      const on = `one.${field}`;
      const tested = form === "list" ? `${on}.every((each) => ${test("each")})` : test(on);
      const isThere = [
        ...(optional ? [`${on} !== undefined`] : []),
        ...(nullable ? [`${on} !== null`] : []),
        tested,
      ];
      return `${as}.all((one) => ${isThere.join(" && ")})`;
    }),
  );
}

function usesOf(tools: readonly ModuleTool[]): readonly FieldUse[] {
  const uses = new Map<string, ToolUse[]>();
  for (const { as, fields } of tools) {
    for (const { name, shape, optional } of fields) {
      if (!interesting.has(plain(name)) || !/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) continue;
      const inner = withoutNull(shape);
      const form = isText(inner) ? "text" : inner.kind === "list" && isText(inner.item) ? "list" : "other";
      uses.set(name, [...(uses.get(name) ?? []), { as, form, nullable: isNullable(shape), optional }]);
    }
  }
  return Array.from(uses, ([field, found]) => ({ field, tools: found })).filter((use) =>
    use.tools.some(({ form }) => form !== "other"),
  );
}

function isText({ kind }: Shape): boolean {
  return kind === "string";
}

function plain(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function lower(name: string): string {
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}

/** Asks of every tool that may change something for one contract: of its first field of interest, else of its calls. */
function coverages(
  label: string,
  changing: readonly ModuleTool[],
  uses: readonly FieldUse[],
  asked: ReadonlyMap<string, string>,
  atMost: string,
  names: Names,
): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const { as } of changing) {
    const field = uses.find((use) => use.tools.some((one) => one.as === as))?.field;
    const contract = (field === undefined ? undefined : asked.get(field)) ?? atMost;
    groups.set(contract, [...(groups.get(contract) ?? []), as]);
  }
  return Array.from(groups, ([contract, tools]) => {
    const about = JSON.stringify(`${label}: ${contract}`);
    const used = tools.length > 4 ? `[\n    ${tools.join(",\n    ")},\n  ]` : `[${tools.join(", ")}]`;
    return `export const ${names.take(`${contract}Policy`)} = coverage({\n  whenUsed: ${used},\n  recommended: [${contract}],\n  label: ${about},\n});`;
  });
}
