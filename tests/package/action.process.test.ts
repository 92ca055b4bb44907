/** The GitHub Action on a repository with two commits, with an API of its own. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changesOf, commentOf, MARK, visible } from "../../integrations/github-action/changes.mjs";
import { build, type Finished, finished, foreclaim, root } from "../cli/built.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-action-"));
const repository = join(folder, "repository");
const main = join(root, "integrations/github-action/main.mjs");
let base = "";

function git(...args: string[]): string {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...who, ...args], { cwd: repository, encoding: "utf8" }).trim();
}

const text = (name: string) => readFileSync(join(repository, name), "utf8");

beforeAll(async () => {
  await build();
  await foreclaim(["init", "repository"], { cwd: folder });
  const program = text("pay-power.ts");
  mkdirSync(join(repository, "agents/more"), { recursive: true });
  const moved = program.replace(/"\.\/tools/g, '"../tools');
  writeFileSync(join(repository, "agents/same.ts"), moved);
  writeFileSync(join(repository, "agents/pay.ts"), moved);
  writeFileSync(join(repository, "agents/gone.ts"), moved);
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  base = git("rev-parse", "HEAD");
  writeFileSync(join(repository, "agents/pay.ts"), moved.replace("maxSpend(100)", "maxSpend(1)"));
  rmSync(join(repository, "agents/gone.ts"));
  writeFileSync(join(repository, "agents/more/broken.ts"), "export default 3;\n");
  git("add", "-A");
  git("commit", "-qm", "second");
  // Not in git, so not proved.
  writeFileSync(join(repository, "agents/untracked.ts"), "export default 3;\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Asked {
  readonly line: string;
  readonly token: string | undefined;
  readonly body: string;
}

/** Answers as GitHub does: a list of comments, and a way to write one. */
class Api {
  comments: unknown[] = [];
  status = 201;
  asked: Asked[] = [];
  readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      this.asked.push({
        line: `${request.method} ${request.url}`,
        token: request.headers.authorization,
        body: body === "" ? "" : JSON.parse(body).body,
      });
      response.statusCode = request.method === "GET" ? 200 : this.status;
      response.end(JSON.stringify(request.method === "GET" ? this.comments : {}));
    });
  });
}

const api = new Api();
let url = "";
beforeAll(async () => {
  await new Promise<void>((done) => api.server.listen(0, "127.0.0.1", done));
  const address = api.server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterAll(() => api.server.close());
beforeEach(() => {
  api.comments = [];
  api.status = 201;
  api.asked = [];
});

function action(inputs: Readonly<Record<string, string>>): Promise<Finished> {
  return finished(
    spawn(process.execPath, [main], {
      cwd: repository,
      env: {
        PATH: process.env.PATH ?? "",
        GITHUB_API_URL: url,
        GITHUB_REPOSITORY: "acme/agents",
        INPUT_PROGRAMS: "agents/**/*.ts",
        INPUT_PULL_REQUEST: "7",
        INPUT_TOKEN: "secret",
        ...inputs,
      },
    }),
  );
}

describe("the action", () => {
  it("comments the sentences that changed, worst first, and writes SARIF", async () => {
    const sarifPath = join(folder, "out.sarif");
    const { code, out } = await action({ INPUT_BASE: base, INPUT_COMMENT: "true", INPUT_SARIF: sarifPath });
    expect(code).toBe(1);
    expect(out).toContain("3 programs, 1 proved");
    expect(api.asked.map(({ line, token }) => [line, token])).toEqual([
      ["GET /repos/acme/agents/issues/7/comments?per_page=100&page=1", "Bearer secret"],
      ["POST /repos/acme/agents/issues/7/comments", "Bearer secret"],
    ]);
    const comment = api.asked[1]?.body ?? "";
    expect(
      comment.startsWith(`${MARK}\n**Foreclaim**: 2 of 3 programs not proved after this change.\n`),
    ).toBe(true);
    expect([...comment.matchAll(/^# (.*)$/gm)].map(([, title]) => title)).toEqual([
      "agents/pay.ts  proved -> refuted",
      "agents/more/broken.ts  absent -> invalid",
      "agents/gone.ts  proved -> absent",
    ]);
    expect(comment).toMatch(
      /^- proved {3}the sum of `amount` over all calls of `bank\.pay` is at most 100$/m,
    );
    expect(comment).toMatch(
      /^\+ refuted {2}the sum of `amount` over all calls of `bank\.pay` is at most 1$/m,
    );
    expect(comment).not.toContain("same.ts");

    const sarif = JSON.parse(readFileSync(sarifPath, "utf8"));
    expect(sarif.version).toBe("2.1.0");
    const results: { ruleId: string; locations: { physicalLocation: object }[]; codeFlows?: unknown }[] =
      sarif.runs[0].results;
    expect(results.map(({ ruleId }) => ruleId).sort()).toEqual(["invalid", "refuted"]);
    const refuted = results.find(({ ruleId }) => ruleId === "refuted");
    const line =
      text("agents/pay.ts")
        .split("\n")
        .findIndex((one) => one.includes("maxSpend")) + 1;
    expect(refuted?.locations[0]?.physicalLocation).toMatchObject({
      artifactLocation: { uri: "agents/pay.ts" },
      region: { startLine: line },
    });
    expect(refuted?.codeFlows).toBeDefined();
    expect(git("worktree", "list").split("\n")).toHaveLength(1);
  });

  it("rewrites its own comment, and not one that somebody else marked", async () => {
    api.comments = [
      { id: 5, body: `${MARK}\nmine`, user: { type: "User" } },
      { id: 6, body: `${MARK}\nold`, user: { type: "Bot" } },
    ];
    const { code } = await action({ INPUT_BASE: base, INPUT_COMMENT: "true", INPUT_FAIL_ON: "never" });
    expect(code).toBe(0);
    expect(api.asked.map(({ line }) => line).at(-1)).toBe("PATCH /repos/acme/agents/issues/comments/6");
  });

  it("goes on without a comment if the token may not write", async () => {
    api.status = 403;
    const { code, out } = await action({
      INPUT_PROGRAMS: "agents/same.ts",
      INPUT_BASE: base,
      INPUT_COMMENT: "true",
    });
    expect({ code, warned: out.includes("::warning::the comment was not written: HTTP 403") }).toEqual({
      code: 0,
      warned: true,
    });
    expect(api.asked.at(-1)?.body).toContain("changes no sentence");
  });

  it.each([
    ["no programs", { INPUT_PROGRAMS: " \n" }, "names no files"],
    ["another word for a verdict", { INPUT_FAIL_ON: "bad" }, "`fail-on` is refuted, unknown or never"],
    [
      "an option in place of a commit",
      { INPUT_BASE: "--upload-pack=x" },
      "`base` is not the hash of a commit",
    ],
    ["a commit that is not there", { INPUT_BASE: "0".repeat(40) }, "git fetch failed"],
  ])("refuses %s", async (_, inputs, words) => {
    const sarif = join(folder, "refused.sarif");
    const { code, out } = await action({ INPUT_PROGRAMS: "agents/same.ts", INPUT_SARIF: sarif, ...inputs });
    expect(code).toBe(2);
    expect(out).toMatch(/^::error::/m);
    expect(out).toContain(words);
    expect(existsSync(sarif)).toBe(false);
  });
});

describe("the comment", () => {
  const proof = (file: string, text: string) => ({
    file,
    verdict: "proved",
    guarantees: [{ text, verdict: "proved" }],
    obligations: [],
    errors: [],
  });

  it("keeps texts of programs inside their fence", () => {
    const evil = "```\n@everyone ![x](https://evil.example) \u202e\u{200b}<img>";
    const comment = commentOf(changesOf([], [proof("a`````.ts", evil)]), 1);
    const lines = comment.split("\n");
    const fence = lines.findIndex((one) => /^`+diff$/.test(one));
    expect(lines[fence]).toBe("``````diff");
    // The fence ends once, after the texts, and nothing follows.
    expect(lines.slice(fence + 1).filter((one) => /^`{6,}\s*$/.test(one))).toHaveLength(1);
    expect(lines.slice(fence + 1, -2).every((one) => /^[#+-] /.test(one))).toBe(true);
    expect(comment).not.toMatch(/[\u202e\u200b]/);
  });

  it("stays within the limit of the forge", () => {
    const many = Array.from({ length: 400 }, (_, i) => proof(`p${i}.ts`, "x".repeat(900)));
    const comment = commentOf(changesOf([], many), 400);
    expect(comment.length).toBeLessThan(65_536);
    expect(comment).toMatch(/… and \d+ more; the log of the job has them all\.\n$/);
    expect(visible("x".repeat(5_000))).toHaveLength(2_002);
  });
});
