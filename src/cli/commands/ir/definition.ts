/** The commands of `foreclaim ir`: documents of the Effect IR. */
import { Command, InvalidArgumentError, Option } from "commander";
import { examples, jsonOption, type Session, set } from "../../session.ts";
import type { DocumentOptions } from "./documents.ts";
import type { EvalOptions } from "./eval.ts";
import type { RunCommandOptions } from "./run.ts";

export function irFor(session: Session): Command {
  const ir = set(new Command("ir"), session, "foreclaim ir")
    .description("Work with documents of the Effect IR, in text or JSON form.")
    .summary("work with documents of the Effect IR")
    .helpCommand(false)
    .addHelpText(
      "after",
      examples(
        ["foreclaim ir check pay.eir", "is it well-formed?"],
        ["foreclaim ir run pay.eir --input in.json", "run it with mock tools"],
        ["foreclaim ir json pay.eir | foreclaim ir print -", "to JSON and back"],
      ),
    );
  const command = (name: string, description: string): Command =>
    set(ir.command(name), session, `foreclaim ir ${name}`)
      .description(description)
      .argument("<file>", "the document; - is standard input");
  addDocumentCommands(session, command);
  addRun(session, command);
  addEval(session, command);
  return ir;
}

type MakeCommand = (name: string, description: string) => Command;

function addDocumentCommands(session: Session, command: MakeCommand): void {
  command("check", "Check a document: names, types, and everything else that can be wrong with it.")
    .summary("check a document")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim ir check pay.eir", "one line if it is fine"],
        ["foreclaim ir check pay.eir --json", "problems as data, with lines and columns"],
        ["cat pay.eir | foreclaim ir check -", "from standard input"],
      ),
    )
    .action(async (file: string, options: DocumentOptions) => {
      const { check } = await import("./documents.ts");
      session.code = await check(session.host, file, options);
    });
  command("print", "Print a document in text form.")
    .summary("print it in text form")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim ir print pay.json", "the JSON form as text"],
        ["foreclaim ir print pay.eir > clean.eir", "with the usual layout"],
      ),
    )
    .action(async (file: string, options: DocumentOptions) => {
      const { print } = await import("./documents.ts");
      session.code = await print(session.host, file, options);
    });
  command("json", "Print a document in JSON form.")
    .summary("print it in JSON form")
    .addOption(new Option("--canonical", "print exactly the bytes that are hashed").conflicts("json"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim ir json pay.eir > pay.json", "for other programs"],
        ["foreclaim ir json pay.eir --canonical | sha256sum", "the hash, by other means"],
      ),
    )
    .action(async (file: string, options: DocumentOptions & { readonly canonical?: boolean }) => {
      const { json } = await import("./documents.ts");
      session.code = await json(session.host, file, options);
    });
  command("hash", "Print the hash of a document: the name by which all else speaks of it.")
    .summary("print its hash")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim ir hash pay.eir", "the same for the text and the JSON form"],
        ["foreclaim ir hash pay.eir --json", "as data"],
      ),
    )
    .action(async (file: string, options: DocumentOptions) => {
      const { hash } = await import("./documents.ts");
      session.code = await hash(session.host, file, options);
    });
}

function addRun(session: Session, command: MakeCommand): void {
  command("run", "Run a document with mock tools, and judge its guarantees on that one run.")
    .summary("run it with mock tools")
    .addOption(
      new Option("-i, --input <file>", "the inputs of the program, a JSON object").conflicts("resume"),
    )
    .option("-m, --mock <file>", "what tools answer, a JSON object")
    .addOption(seedOption())
    .option("-r, --resume <file>", "go on from a run that was written with -o")
    .option("-o, --output <file>", "write the run to a file, as --json prints it")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Mocks:
  {"bank.balance": {"returns": 320.5},
   "mail.send": [{"fails": "timeout"}, {"returns": null}]}
  One answer serves every call; of an array each call takes the next.
  A tool without a mock returns something plain that meets its \`ensures\`.
${examples(
  ["foreclaim ir run pay.eir --input in.json", "with made-up results"],
  ["foreclaim ir run pay.eir -i in.json -m mocks.json -o run.json", ""],
  ["foreclaim ir run pay.eir --resume run.json", "makes the calls that are left"],
)}`,
    )
    .action(async (file: string, options: RunCommandOptions) => {
      const { runDocument } = await import("./run.ts");
      session.code = await runDocument(session.host, file, options);
    });
}

function addEval(session: Session, command: MakeCommand): void {
  command("eval", "Judge the guarantees, or evaluate an expression, on a recorded run.")
    .summary("judge its guarantees on a recorded run")
    .addOption(new Option("-t, --trace <file>", "a run that `ir run -o` wrote, taken as it stands"))
    .addOption(
      new Option("-i, --input <file>", "inputs, for a run that has made no calls yet").conflicts("trace"),
    )
    .option("-e, --expr <expression>", "evaluate this instead, over the inputs and the trace")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim ir eval pay.eir --trace run.json", "every guarantee"],
        ["foreclaim ir eval pay.eir -t run.json -e 'count(p in card.pay)'", ""],
        ["foreclaim ir eval pay.eir -i in.json -e 'budget / 3'", ""],
      ),
    )
    .action(async (file: string, options: EvalOptions) => {
      const { evaluateDocument } = await import("./eval.ts");
      session.code = await evaluateDocument(session.host, file, options);
    });
}

function seedOption(): Option {
  return new Option("-s, --seed <n>", "chance for made-up results").default(1).argParser((text) => {
    const seed = Number(text);
    if (/^[0-9]+$/.test(text) && Number.isSafeInteger(seed)) return seed;
    throw new InvalidArgumentError("expected an integer from 0");
  });
}
