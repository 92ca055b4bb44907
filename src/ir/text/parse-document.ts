/** Reads declarations and whole documents. Part of what must be trusted. */
import type { Document, Expr, Fluent, Guarantee, Program, Source, Tool, Update } from "../document.ts";
import { quoted } from "../json/quoted.ts";
import type { Token } from "./lexer.ts";
import type { Mutable } from "./mutable.ts";
import { type Part, part } from "./node-spans.ts";
import { CallCounter, openBody, readBody, reportTwice, startsDeclaration } from "./parse-command.ts";
import { readExpr, readExprs } from "./parse-expr.ts";
import { readSource, readStrings } from "./parse-formula.ts";
import { readFields, readType } from "./parse-type.ts";
import { isExactly, type Reader } from "./reader.ts";
import { clauseWords, commandWords, declarationWords, flags } from "./syntax.ts";

interface Declarations {
  readonly fluents: Fluent[];
  readonly tools: Tool[];
  readonly guarantees: Guarantee[];
  program?: Program;
}

export function readDocument(reader: Reader): Document {
  const parts: Part[] = [];
  if (!readHeader(reader)) return emptyDocument();
  const modules = readModules(reader, parts);
  const found: Declarations = { fluents: [], tools: [], guarantees: [] };
  for (;;) {
    reader.recover(startsDeclaration, false);
    if (reader.token.kind === "end") break;
    // Left over from a body whose start was not understood.
    if (reader.problemCount > 0 && reader.skip("}")) continue;
    readDeclaration(reader, found);
  }
  const { fluents, tools, guarantees } = found;
  const program = found.program ?? reader.mark({ inputs: [], body: [] }, reader.end);
  const document: Mutable<Document> = { effectIr: 1, fluents, tools, program, guarantees };
  if (modules !== undefined) document.modules = modules;
  return reader.mark(document, 0, parts);
}

function emptyDocument(): Document {
  return { effectIr: 1, fluents: [], tools: [], program: { inputs: [], body: [] }, guarantees: [] };
}

/** False if nothing after the header can be understood. */
function readHeader(reader: Reader): boolean {
  const { start, end } = reader.token;
  if (!startsHeader(reader)) {
    const message = "the text does not start with its version";
    reader.report("FC1006", start, end, message, "start it with `effect-ir 1`");
    return true;
  }
  for (let word = 0; word < 3; word++) reader.take();
  const version = reader.token;
  if (version.kind !== "number") {
    const message = "`effect-ir` is not followed by a version";
    reader.report("FC1006", start, reader.end, message, "start the text with `effect-ir 1`");
    // Whatever stands in its place is no declaration.
    if (!version.first) reader.take();
    return true;
  }
  reader.take();
  if (version.text === "1") return true;
  const message = `version ${quoted(version.text)} of \`effect-ir\` is not known`;
  reader.abandon("FC1006", version.start, version.end, message, "write version 1, `effect-ir 1`");
  return false;
}

/** To the lexer, `effect-ir` is three tokens. */
function startsHeader(reader: Reader): boolean {
  const { token: effect } = reader;
  const dash = reader.peek(1);
  const ir = reader.peek(2);
  const isWritten = isExactly(effect, "effect") && isExactly(dash, "-") && isExactly(ir, "ir");
  return isWritten && effect.end === dash.start && dash.end === ir.start;
}

function readModules(reader: Reader, parts: Part[]): string | undefined {
  let modules: string | undefined;
  while (reader.at("modules")) {
    const word = reader.take();
    if (modules !== undefined) reportTwice(reader, word);
    parts.push(part("modules", reader.token));
    modules = reader.string("the hash of the modules")?.text;
  }
  return modules;
}

// ── declarations ─────────────────────────────────────────────────────────────────────────────────────────

function readDeclaration(reader: Reader, found: Declarations): void {
  const word = reader.token;
  const late = (what: string): void => {
    const help = "the order is: fluents and tools, then the program, then the guarantees";
    reader.report("FC1005", word.start, word.end, `\`${word.text}\` stands after ${what}`, help);
  };
  const ordered = found.program !== undefined || found.guarantees.length > 0;
  if (word.kind === "word") {
    switch (word.text) {
      case "fluent":
        if (ordered) late(found.program === undefined ? "a guarantee" : "the program");
        found.fluents.push(readFluent(reader));
        return;
      case "tool":
        if (ordered) late(found.program === undefined ? "a guarantee" : "the program");
        found.tools.push(readTool(reader));
        return;
      case "program":
        if (found.program !== undefined) reportTwice(reader, word);
        else if (found.guarantees.length > 0) late("a guarantee");
        found.program = readProgram(reader);
        return;
      case "guarantee":
        found.guarantees.push(readGuarantee(reader));
        return;
    }
  }
  reader.failExpected("`fluent`, `tool`, `program` or `guarantee`", declarationHelp(word.text));
}

function declarationHelp(word: string): string | undefined {
  if (clauseWords.has(word)) return "the clauses of a tool stand directly after its head";
  if (commandWords.has(word)) return "write commands in `program (…) { … }`";
  return undefined;
}

function readFluent(reader: Reader): Fluent {
  const { start } = reader.take();
  const { name, span } = reader.path("the fluent");
  reader.expect("[", "before the type of the key", "write `fluent name[type of the key]: type = start`");
  const key = readType(reader);
  reader.expect("]", "after the type of the key");
  reader.expect(":", "before the type of the value");
  const value = readType(reader);
  reader.expect("=", "before the first value", "write `= unknown` if nothing is assumed about it");
  const parts = part("name", span);
  if (reader.skip("unknown")) return reader.add({ name, key, value }, start, parts);
  const initial = readExpr(reader);
  return reader.add({ name, key, value, initial }, start, parts);
}

function readProgram(reader: Reader): Program {
  const { start } = reader.take();
  reader.expect("(", "before the inputs of the program", "write `program (name: type) { … }`");
  const inputs = readFields(reader, ")", "an input");
  reader.expect(")", "to close the inputs");
  openBody(reader, "of the program", "write `program (name: type) { … }`");
  const program: Mutable<Program> = { inputs, body: [] };
  if (!reader.lost) {
    program.body = readBody(reader, new CallCounter());
    reader.expect("}", "to close the program");
  }
  return reader.add(program, start);
}

function readGuarantee(reader: Reader): Guarantee {
  const { start } = reader.take();
  const { name, span } = reader.path("the guarantee");
  reader.expect("(", "before the arguments of the guarantee", "write `()` after its name if it has none");
  const args = readExprs(reader, ")");
  reader.expect(")", "to close the arguments");
  const parts = part("name", span);
  if (!reader.skip(":")) return reader.add({ name, args }, start, parts);
  const formula = readExpr(reader);
  return reader.add({ name, args, formula }, start, parts);
}

// ── tools ────────────────────────────────────────────────────────────────────────────────────────────────

type OpenTool = Mutable<Tool> & {
  labels: readonly string[];
  requires: Expr[];
  ensures: Expr[];
  sets: Update[];
};

function readTool(reader: Reader): Tool {
  const { start } = reader.take();
  const { name, span } = reader.path("the tool");
  const parts = [part("name", span)];
  reader.expect("(", "before the parameters of the tool", "write `()` after its name if it has none");
  const params = readFields(reader, ")", "a parameter");
  reader.expect(")", "to close the parameters");
  const tool: OpenTool = { name, params, labels: [], requires: [], ensures: [], sets: [] };
  if (reader.skip("->")) tool.result = readType(reader);
  for (;;) {
    reader.recover((at) => startsClause(at) || startsDeclaration(at), false);
    if (readClause(reader, tool, parts)) continue;
    if (reader.token.kind === "end" || reader.at("}") || isDeclarationWord(reader.token)) break;
    reader.failExpected("a clause of the tool or the next declaration");
  }
  return reader.add(tool, start, parts);
}

function isDeclarationWord({ kind, text }: Token): boolean {
  return kind === "word" && declarationWords.has(text);
}

/** For recovery only, and so only at the start of a line: elsewhere the word is most likely a name. */
function startsClause({ token }: Reader): boolean {
  return token.kind === "word" && token.first && clauseWords.has(token.text);
}

/** False if no clause starts here. */
function readClause(reader: Reader, tool: OpenTool, parts: Part[]): boolean {
  const word = reader.token;
  if (word.kind !== "word" || !clauseWords.has(word.text)) return false;
  reader.take();
  const flag = flags.find((one) => one === word.text);
  if (flag !== undefined) {
    if (tool[flag]) reportTwice(reader, word);
    tool[flag] = true;
    parts.push(part(flag, word));
    return true;
  }
  switch (word.text) {
    case "labels":
      if (tool.labels.length > 0) reportTwice(reader, word, inOneClause("labels"));
      tool.labels = readStrings(reader, "a label");
      return true;
    case "requires":
      tool.requires.push(readExpr(reader));
      return true;
    case "ensures":
      tool.ensures.push(readExpr(reader));
      return true;
    case "sets":
      tool.sets.push(readUpdate(reader, word.start));
      return true;
    case "stores":
      if (tool.stores !== undefined) reportTwice(reader, word, inOneClause("stores"));
      tool.stores = reader.skip("none") ? [] : readStrings(reader, "a store");
      return true;
    case "endorses":
      if (tool.endorses !== undefined) reportTwice(reader, word, inOneClause("sources"));
      tool.endorses = reader.skip("none") ? [] : readSources(reader);
      return true;
    case "readers":
      if (tool.readers !== undefined) reportTwice(reader, word, "join the lists with `++` in one clause");
      tool.readers = readExpr(reader);
      return true;
    default:
      if (tool.cost !== undefined) reportTwice(reader, word, "add the costs up in one clause");
      tool.cost = readExpr(reader);
      return true;
  }
}

function inOneClause(what: string): string {
  return `write all ${what} in one clause, with \`,\` between them`;
}

function readSources(reader: Reader): readonly Source[] {
  const { start } = reader.token;
  const sources: Source[] = [];
  do sources.push(readSource(reader));
  while (reader.skip(","));
  return reader.mark(sources, start);
}

function readUpdate(reader: Reader, start: number): Update {
  const { name: fluent, span } = reader.path("the fluent to set");
  reader.expect("[", "before the key of the fluent", "write `sets F[key] = value`");
  const key = readExpr(reader);
  reader.expect("]", "after the key of the fluent");
  reader.expect("=", "before the new value of the fluent");
  const value = readExpr(reader);
  const update: Mutable<Update> = { fluent, key, value };
  if (reader.skip("when")) update.when = readExpr(reader);
  return reader.add(update, start, part("fluent", span));
}
