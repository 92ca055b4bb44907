/**
 * The possible effects of a program: every call that any run can make, with its arguments, conditions and number, and
 * answers to the questions that a person asks first. From the document and the facts of its proof, without a solver.
 * SOUNDNESS: the calls are those of the program text, so that none is omitted; a value is called a constant only if
 * every fact says so, and the words for any other value do not narrow it down.
 */
import {
  type Argument,
  answerTool,
  type CallCommand,
  type Checked,
  type Command,
  commandsAt,
  isBuiltin,
  isTold,
  noOtherKind,
  type ParallelCommand,
  type Path,
  type RecordValue,
  type Tool,
} from "../../ir/index.ts";
import type { Proof } from "../../prove/index.ts";
import { codeText } from "../visible.ts";
import { answersOf } from "./answers.ts";
import { anyOf, Constants, type Possible } from "./constants.ts";
import { fluentsOf } from "./fluents.ts";
import { Sight } from "./sight.ts";

export interface MayDo {
  /** In the order of the program. */
  readonly calls: readonly MayCall[];
  readonly fluents: readonly MayChange[];
  /** Answers from the facts, without asking anybody. */
  readonly answers: readonly MayAnswer[];
  /** The output for the person who asked for the run, in the order of the program; absent if there is none. */
  readonly told?: readonly MayTell[];
}

/** A reading of the clock or of chance, or a pause. */
export interface Observed {
  readonly tool: string;
  readonly line: number | undefined;
}

export interface MayTell {
  readonly kind: "answer" | "note";
  /** A constant as it is written, or in English what it is. */
  readonly value: string;
  readonly isConstant: boolean;
  /** When it is told, in English; null if always. */
  readonly when: string | null;
  /** The loop it stands in: once for each of what; null if once. */
  readonly each: string | null;
  readonly line: number | null;
}

export interface MayCall {
  readonly number: number;
  readonly tool: string;
  /** A constant as it is written, or in English what it is. */
  readonly args: readonly MayArgument[];
  /** When it is made, in English; null if always. */
  readonly when: string | null;
  /** The loop it stands in: once for each of what; null if once. */
  readonly each: string | null;
  /** The calls, by number, that branches make at the same time; absent if there are none. */
  readonly beside?: readonly number[];
  readonly reads: boolean;
  readonly line: number | null;
}

export interface MayArgument {
  readonly name: string;
  readonly value: string;
  readonly isConstant: boolean;
}

export interface MayChange {
  readonly fluent: string;
  /** The calls, by number, that may change it. */
  readonly changedBy: readonly number[];
  readonly text: string;
}

export interface MayAnswer {
  readonly question: string;
  readonly answer: readonly string[];
}

/** A call with what the answers need to know of it. */
export interface FoundCall extends MayCall {
  readonly command: CallCommand;
  readonly of: Tool;
  /** By the name of the argument: everything that it can be; undefined for any value. */
  readonly possible: ReadonlyMap<string, Possible | undefined>;
  /** The most times that it is made: in all, or, inside of a loop of any length, in each of its iterations. */
  readonly most: number;
  /** True if a loop around it is of any length. */
  readonly unbounded: boolean;
}

/**
 * @param lineOf where a part of the document stands in its source
 * @param inputs the inputs of this run, where they are known
 */
export function mayDo(
  checked: Checked,
  proof: Proof,
  lineOf: (path: Path) => number | undefined = () => undefined,
  inputs?: RecordValue,
): MayDo {
  const finder = searched(checked, proof, lineOf, inputs);
  const { calls } = finder;
  return {
    calls: calls.map(({ number, tool, args, when, each, reads, line }) => {
      const beside = finder.besideOf(number);
      return { number, tool, args, when, each, ...(beside.length > 0 && { beside }), reads, line };
    }),
    fluents: fluentsOf(checked, calls),
    answers: answersOf(checked, calls, proof, finder.observed),
    ...(finder.told.length > 0 && { told: finder.told }),
  };
}

/** Returns the calls that runs can make, with the facts that answers and risks need. */
export function callsOf(
  checked: Checked,
  proof: Proof,
  lineOf: (path: Path) => number | undefined,
): FoundCall[] {
  return searched(checked, proof, lineOf, undefined).calls;
}

function searched(
  checked: Checked,
  proof: Proof,
  lineOf: (path: Path) => number | undefined,
  inputs: RecordValue | undefined,
): Finder {
  const finder = new Finder(checked, new Constants(proof), lineOf, inputs);
  finder.body(checked.document.program.body, ["program", "body"]);
  return finder;
}

/** LIMIT: of characters; words this long are said once, and conditions name the argument. */
const longValue = 40;

/** Returns the condition with the names of arguments in place of their long values. */
function withArguments(condition: string, args: readonly MayArgument[]): string {
  return args
    .filter(({ value, isConstant }) => !isConstant && value.length >= longValue)
    .reduce((text, { name, value }) => text.replaceAll(value, () => `that ${codeText(name)}`), condition);
}

const never = "never: no run gets here";
const nothing = { value: "nothing", isConstant: true };

class Finder {
  readonly calls: FoundCall[] = [];
  readonly told: MayTell[] = [];
  readonly observed: Observed[] = [];
  readonly #checked: Checked;
  readonly #constants: Constants;
  readonly #lineOf: (path: Path) => number | undefined;
  readonly #sight: Sight;
  /** By the number of a call: those that branches beside its own make. */
  readonly #beside = new Map<number, Set<number>>();
  /** The number of calls of a tool on a line: a helper or a loop that was unrolled puts several there. */
  readonly #sameLine = new Map<string, number>();

  constructor(
    checked: Checked,
    constants: Constants,
    lineOf: (path: Path) => number | undefined,
    inputs: RecordValue | undefined,
  ) {
    this.#checked = checked;
    this.#constants = constants;
    this.#lineOf = lineOf;
    this.#sight = new Sight(checked, inputs);
    this.#countLines(checked.document.program.body, ["program", "body"]);
  }

  /** @param loops the loops around it in words, the outermost first */
  body(commands: readonly Command[], path: Path, loops: readonly string[] = []): void {
    for (const [i, command] of commands.entries()) {
      const at = [...path, i];
      switch (command.kind) {
        case "let":
          this.#sight.bindValue(command.name, command.value);
          break;
        case "require":
          this.#sight.require(command.condition, command.when);
          break;
        case "call":
          this.#call(command, at, loops);
          break;
        case "for":
        case "while": {
          const each =
            command.kind === "for"
              ? this.#sight.enterLoop(command, this.#lineOf(at))
              : this.#sight.enterTurns(command, this.#lineOf(at));
          this.body(command.body, [...at, "body"], [...loops, each]);
          this.#sight.leaveLoop();
          break;
        }
        case "parallel":
          this.#branches(command, at, loops);
          break;
        default:
          noOtherKind(command);
      }
    }
  }

  /** The calls, by number, that are made at the same time as that one. */
  besideOf(number: number): readonly number[] {
    return [...(this.#beside.get(number) ?? [])].sort((a, b) => a - b);
  }

  #branches({ branches }: ParallelCommand, path: Path, loops: readonly string[]): void {
    const groups = branches.map((branch, i) => {
      const before = this.calls.length;
      this.#sight.inBranch(() => this.body(branch, [...path, "branches", i], loops));
      return this.calls.slice(before).map(({ number }) => number);
    });
    for (const group of groups) {
      const others = groups.filter((other) => other !== group).flat();
      for (const number of group)
        this.#beside.set(number, new Set([...(this.#beside.get(number) ?? []), ...others]));
    }
  }

  #call(command: CallCommand, path: Path, loops: readonly string[]): void {
    const tool = this.#checked.tools.get(command.tool);
    if (tool === undefined) throw new TypeError(`there is no tool \`${command.tool}\``);
    const line = this.#lineOf(path);
    const found = this.#constants.of(command);
    const possible = new Map(command.args.map((arg) => [arg.name, found.args(arg)]));
    const args = command.args.flatMap((arg) => this.#argument(command, arg, possible.get(arg.name)));
    const condition = found.most === 0 ? never : this.#sight.condition(command.when, loops.length);
    const when = condition === null ? null : withArguments(condition, args);
    const each = loops.length === 0 ? null : [...loops].reverse().join(", for ");
    if (isBuiltin(tool.name) && !isTold(tool.name)) {
      this.observed.push({ tool: tool.name, line });
      this.#sight.bindCall(command, line === undefined ? "of the run" : `line ${line}`);
      return;
    }
    if (isBuiltin(tool.name)) {
      const kind = tool.name === answerTool.name ? "answer" : "note";
      const [{ value, isConstant } = nothing] = args;
      this.told.push({ kind, value, isConstant, when, each, line: line ?? null });
      return;
    }
    this.calls.push({
      number: this.calls.length + 1,
      tool: command.tool,
      args,
      when,
      each,
      reads: tool.reads === true,
      line: line ?? null,
      command,
      of: tool,
      possible,
      most: found.most,
      unbounded: found.unbounded(loops.length > 0),
    });
    this.#sight.bindCall(command, this.#place(command.tool, line));
  }

  /** Returns its line, unless another call of the tool stands there too. */
  #place(tool: string, line: number | undefined): string {
    const number = this.calls.length;
    if (line === undefined) return `call ${number}`;
    return (this.#sameLine.get(`${line} ${tool}`) ?? 0) > 1 ? `call ${number}` : `line ${line}`;
  }

  #countLines(commands: readonly Command[], path: Path): void {
    for (const [command, at] of commandsAt(commands, path)) {
      if (command.kind !== "call") continue;
      const key = `${this.#lineOf(at) ?? 0} ${command.tool}`;
      this.#sameLine.set(key, (this.#sameLine.get(key) ?? 0) + 1);
    }
  }

  #argument({ when }: CallCommand, arg: Argument, possible: Possible | undefined): MayArgument[] {
    const { name } = arg;
    if (possible === undefined || possible.length === 0) {
      const value = this.#sight.value(arg.value, when);
      return [{ name, value: arg.optional ? `${value}, or not given` : value, isConstant: false }];
    }
    const [only] = possible;
    if (possible.length === 1 && only?.kind === "absent") return [];
    return [{ name, value: anyOf(possible), isConstant: possible.length === 1 }];
  }
}
