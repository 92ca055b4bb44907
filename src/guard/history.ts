/** The calls of sessions, as a ledger keeps them. */
import { type Failure, type FileSystem, withTrace } from "../app/index.ts";
import { ok, type Result } from "../ir/index.ts";

export interface PastCall {
  readonly session: string;
  readonly tool: string;
  readonly args: unknown;
  /** Why it would have been refused while it was observed. */
  readonly refused: readonly string[];
}

/** LIMIT: of calls that are looked at; later ones are omitted. */
export const mostPastCalls = 100_000;

/** Returns the calls that sessions made, in their order. */
export async function sessionCalls(
  fs: FileSystem,
  ledger: string,
  kernel: string,
): Promise<Result<readonly PastCall[], Failure>> {
  return withTrace(fs, ledger, kernel, async ({ entries }) => {
    const calls: PastCall[] = [];
    for await (const { bytes } of entries()) {
      const call = callIn(new TextDecoder().decode(bytes));
      if (call !== undefined) calls.push(call);
      if (calls.length >= mostPastCalls) break;
    }
    return ok(calls);
  });
}

/** Reads the call of a session from an entry; undefined for any other entry. */
function callIn(text: string): PastCall | undefined {
  if (!text.includes('"session"')) return undefined;
  let entry: unknown;
  try {
    entry = JSON.parse(text);
  } catch {
    return undefined;
  }
  const action = member(member(entry, "command"), "action");
  const origin = member(action, "origin");
  const [tool, session, refused] = [
    member(action, "tool"),
    member(origin, "session"),
    member(origin, "refused"),
  ];
  if (member(entry, "verdict") !== "allowed" || typeof tool !== "string" || typeof session !== "string")
    return undefined;
  const words = Array.isArray(refused) ? refused.filter((one) => typeof one === "string") : [];
  return { session, tool, args: member(action, "args"), refused: words };
}

function member(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined;
}
