/** Forms of the language that models write and that have a plainer form: each does what JavaScript does. */
import type { LabProgram } from "./lab.ts";

const say = (text: string): string => `await lab.say({ text: ${text} });`;
const risky = 'await lab.risky({ key: "k" })';

const caught: Record<string, LabProgram> = {
  "the message of a tool's failure": {
    body: `try { ${risky}; ${say('"ok"')} } catch (e) { ${say("e instanceof Error ? e.message : String(e)")} }`,
  },
  "the text, the name and a cast of a failure": {
    body: `try { ${risky}; } catch (err: unknown) { ${say("`${err}|${String(err)}|${(err as Error).message}|${(err as Error).name}`")} }`,
  },
  "a failure or an own error": {
    body: `try { const n = ${risky}; if (n > 5) throw new TypeError("big " + n); ${say('"small"')} } catch (e) { ${say("e.name + e.message")} ${say('e instanceof TypeError ? "type" : "other"')} }`,
  },
  "an own error without a message": {
    body: `try { if (${risky} > 5) throw new RangeError(); } catch (e) { ${say("`${e}`")} }`,
  },
  "a failure in a loop": {
    body: `let n = 0; try { for (const r of await lab.rows()) { n += r.n; ${risky}; ${say("r.id")} } } catch (e) { ${say("`${n} ${e.message}`")} }`,
  },
  "an own error in a loop": {
    body: `try { for (const r of await lab.rows()) { if (r.n > 2) throw new Error("row " + r.id); if (r.n < 0) throw new TypeError("low"); ${say("r.id")} } ${risky}; } catch (e) { ${say("`${e}`")} ${say('e instanceof TypeError ? "type" : "other"')} }`,
  },
  "a failure in each turn": {
    body: `const failed: string[] = []; for (const r of await lab.rows()) { try { ${risky}; } catch (e) { failed.push(\`\${r.id}: \${e instanceof Error ? e.message : "unknown"}\`); } } await lab.list({ items: failed });`,
  },
  "a failure in a helper": {
    top: `async function attempt(key: string): Promise<string> { try { return "got " + (await lab.risky({ key })); } catch (error) { return "failed: " + (error as Error).message; } }`,
    body: `${say('await attempt("a")')} ${say('await attempt("b")')}`,
  },
  "a failure passed on": {
    body: `try { try { ${risky}; } catch (e) { throw new Error(\`wrapped: \${e.message}\`, { cause: e }); } } catch (e) { ${say("e.message")} }`,
  },
  "a failure thrown again": {
    body: `try { try { ${risky}; } catch (e) { ${say('"first"')} throw e; } } catch (e) { ${say("e.message")} }`,
  },
  "a failure past finally": {
    body: `try { try { ${risky}; } finally { ${say('"done"')} } } catch (e) { ${say("e.message")} }`,
  },
  "retries that remember the last failure": {
    body: `let last = ""; for (let i = 0; i < 3; i++) { try { await lab.put({ n: ${risky} }); return; } catch (e) { last = (e as Error).message; } } ${say("last")}`,
  },
};

export const sugar: Record<string, LabProgram> = { ...caught };
