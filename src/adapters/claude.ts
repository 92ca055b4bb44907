/**
 * Tools and permissions for Claude, by shape: nothing of its SDKs is imported. `tools` are for the tool runner of the
 * Anthropic SDK, `canUseTool` for the Agent SDK, and `preToolUse` for hooks of both the Agent SDK and Claude Code.
 *
 * @example query({ prompt, options: { canUseTool: foreclaim({ folder: "." }).canUseTool } });
 */
import type { RunQuestion } from "../app/index.ts";
import { type AgentAnswer, Foreclaim, type ForeclaimOptions, isApproval, toolList } from "./core.ts";

export type { Approval, Approve, ForeclaimOptions } from "./core.ts";

/** A tool as `client.beta.messages.toolRunner` takes it. */
export interface ClaudeTool {
  readonly type: "custom";
  readonly name: string;
  readonly description: string;
  readonly input_schema: (typeof toolList)[number]["schema"];
  readonly parse: (input: unknown) => unknown;
  readonly run: (input: unknown) => Promise<string>;
}

export type Permission =
  | { readonly behavior: "allow"; readonly updatedInput: Record<string, unknown> }
  | { readonly behavior: "deny"; readonly message: string };

export type CanUseTool = (
  name: string,
  input: Record<string, unknown>,
  options?: { readonly signal?: AbortSignal; readonly toolUseID?: string },
) => Promise<Permission>;

/** Output of a `PreToolUse` hook; undefined leaves the call to others. */
export interface HookAnswer {
  readonly hookSpecificOutput: {
    readonly hookEventName: "PreToolUse";
    readonly permissionDecision: "allow" | "deny" | "ask";
    readonly permissionDecisionReason: string;
  };
}

export interface ClaudeOptions extends ForeclaimOptions {
  /** The names of our MCP server in Claude's configuration; by default, `foreclaim`, also as the plugin's. */
  readonly servers?: readonly string[];
  /** Servers whose tools may be called in programs only: a direct call is denied. */
  readonly programsOnly?: readonly string[];
  /** Decides about every other tool. If it is omitted, `canUseTool` denies it. */
  readonly otherwise?: CanUseTool;
}

export interface ClaudeTools {
  readonly tools: ClaudeTool[];
  readonly canUseTool: CanUseTool;
  /** Decides on the input of a `PreToolUse` hook. */
  readonly preToolUse: (input: unknown) => Promise<HookAnswer | undefined>;
}

export function foreclaim(options: ClaudeOptions = {}): ClaudeTools {
  const hall = new Foreclaim(options, "Claude approval");
  const about = (name: string, input: unknown) => decisionOn(hall, options, name, input);
  return {
    tools: toolList.map(
      ({ name, description, schema }): ClaudeTool => ({
        type: "custom",
        name,
        description,
        input_schema: schema,
        parse: (input) => input,
        run: async (input) => JSON.stringify(await hall.call(name, input)),
      }),
    ),
    canUseTool: async (name, input, call) => {
      const decision = await about(name, input);
      if (decision === undefined)
        return options.otherwise?.(name, input, call) ?? deny(`nothing says that \`${name}\` may be used`);
      if (decision.kind === "deny") return deny(decision.why);
      if (decision.kind === "allow") return { behavior: "allow", updatedInput: input };
      // The server asks on its page; a person here is asked now.
      const isApproved =
        options.approve === undefined || isApproval(await options.approve(decision.question));
      return isApproved ? { behavior: "allow", updatedInput: input } : deny("it was not approved");
    },
    preToolUse: async (input) => {
      const { tool_name, tool_input }: { tool_name?: unknown; tool_input?: unknown } = Object(input);
      if (typeof tool_name !== "string") return hook("deny", "the hook got no name of a tool");
      const decision = await about(tool_name, tool_input);
      if (decision === undefined) return undefined;
      return decision.kind === "ask"
        ? hook("ask", decision.question.text)
        : hook(decision.kind, decision.why);
    },
  };
}

type Decision =
  | { readonly kind: "allow"; readonly why: string }
  | { readonly kind: "deny"; readonly why: string }
  | { readonly kind: "ask"; readonly question: RunQuestion };

const harmless: ReadonlySet<string> = new Set(["search_tools", "prove", "wait", "explain"]);

/** Returns undefined for a tool that is none of ours. */
async function decisionOn(
  hall: Foreclaim,
  { servers = ["foreclaim", "plugin_foreclaim_foreclaim"], programsOnly = [] }: ClaudeOptions,
  name: string,
  input: unknown,
): Promise<Decision | undefined> {
  const [, of = "", tool = ""] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  if (programsOnly.includes(of))
    return {
      kind: "deny",
      why: `tools of \`${of}\` are called in programs: write one, \`prove\` it and \`run\` it`,
    };
  if (!servers.includes(of)) return undefined;
  if (harmless.has(tool)) return { kind: "allow", why: "it runs nothing" };
  if (tool !== "run") return undefined;
  const standing = await hall.standing(input);
  switch (standing?.kind) {
    case undefined:
      return { kind: "deny", why: "the arguments of `run` do not fit" };
    case "not run":
      return { kind: "deny", why: notRunWords(await hall.call("prove", input), standing.answer.reason) };
    case "rejected":
      return { kind: "deny", why: standing.why };
    case "approved":
      return { kind: "allow", why: `proved, and approved by ${standing.by}` };
    case "open":
      return { kind: "ask", question: standing.question };
  }
}

/** The first thing that is wrong, in words that a model can act on. */
function notRunWords(answer: AgentAnswer, reason = "it is not proved"): string {
  if (!("verdict" in answer) || !("guarantees" in answer)) return reason;
  const open = answer.guarantees.find(({ verdict }) => verdict !== "proved");
  const [error] = answer.errors;
  const more = open?.text ?? (error === undefined ? undefined : `${error.code} ${error.message}`);
  return more === undefined ? reason : `the program is ${answer.verdict}: ${more}; \`prove\` says more`;
}

function deny(message: string): Permission {
  return { behavior: "deny", message };
}

function hook(permissionDecision: "allow" | "deny" | "ask", permissionDecisionReason: string): HookAnswer {
  return {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason },
  };
}
