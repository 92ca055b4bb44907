/** A run that a person is asked about, as data and as text. No word of it is the agent's, but for constants of the program. */
import { mayDo, visibleText } from "../../explain/index.ts";
import { hashDocument, printValue } from "../../ir/index.ts";
import type { RunRequest } from "../decide.ts";
import { authorsWords, ownStatements, ownWords } from "../load/effect-ir.ts";
import { guaranteeText } from "../report/wording.ts";

// Type aliases rather than interfaces, so that a question is JSON for the compiler too.

export type RunQuestion = {
  /** The hash of what would run, `eir1-…`. */
  readonly program: string;
  /** All of them are proved. */
  readonly guarantees: readonly QuestionGuarantee[];
  /** Contracts that a coverage policy recommends and nothing states. */
  readonly gaps: readonly string[];
  /** Every call that some run may make. */
  readonly calls: readonly QuestionCall[];
  readonly inputs: string;
  readonly budget: string | null;
  /** All of the above for a person to read. */
  readonly text: string;
};

export type QuestionGuarantee = {
  readonly name: string;
  readonly text: string;
  /** The comment of the contract's author, which is not verified. */
  readonly doc?: string;
};

export type QuestionCall = {
  readonly tool: string;
  readonly args: readonly { readonly name: string; readonly value: string }[];
  readonly when: string | null;
  readonly each: string | null;
  readonly reads: boolean;
};

/** LIMIT: of one shown value, in characters. */
const longestInputs = 400;
/** LIMIT: of calls that a person is shown as text. */
const mostCalls = 40;

export function questionOf({ proved, inputs, budget }: RunRequest): RunQuestion {
  const { document, proof, coverage } = proved;
  const { checked } = document;
  const own = ownStatements(document);
  const guarantees = proof.guarantees.map(({ guarantee }, i): QuestionGuarantee => {
    const { stated, sentence } = guaranteeText(checked, guarantee);
    const doc = authorsWords(document, i);
    const words = sentence ?? stated;
    return {
      name: visibleText(stated),
      text: visibleText(own.has(i) ? `${words} (${ownWords})` : words),
      ...(doc !== undefined && { doc: visibleText(doc) }),
    };
  });
  const gaps = coverage.domains.flatMap((one) => one.coverage.missingRecommended.map(visibleText));
  const calls = mayDo(checked, proof).calls.map(
    ({ tool, args, when, each, reads }): QuestionCall => ({
      tool: visibleText(tool),
      args: args.map(({ name, value }) => ({ name, value: visibleText(value) })),
      when: when === null ? null : visibleText(when),
      each: each === null ? null : visibleText(each),
      reads,
    }),
  );
  const given = Object.keys(inputs.fields).length === 0 ? "none" : printValue(inputs, longestInputs);
  const question = {
    program: hashDocument(checked.document),
    guarantees,
    gaps,
    calls,
    inputs: visibleText(given),
    budget: budget ?? null,
  };
  return { ...question, text: textOf(question) };
}

function textOf({ guarantees, gaps, calls, inputs, budget }: Omit<RunQuestion, "text">): string {
  const promised = guarantees.map(({ text }) => `  proved: ${text}`);
  const made = calls.map(({ tool, args, when, each }) => {
    const given = args.map(({ name, value }) => `${name}: ${value}`).join(", ");
    return `  ${tool}(${given})${when === null ? "" : `, when ${when}`}${each === null ? "" : `, for ${each}`}`;
  });
  const more = made.length - mostCalls;
  return [
    "May this program run?",
    ...(promised.length === 0 ? ["  it guarantees nothing"] : promised),
    ...gaps.map((gap) => `  not guaranteed: ${gap}`),
    "It may call:",
    ...(made.length === 0 ? ["  nothing"] : made.slice(0, mostCalls)),
    ...(more > 0 ? [`  and ${more} more calls`] : []),
    `Inputs: ${inputs}`,
    ...(budget === null ? [] : [`Budget: at most ${budget} in all`]),
  ].join("\n");
}
