/** Attacks that the service must resist. */
import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, foreclaim } from "../cli/built.ts";
import { answers, project, remove, Serve } from "./serve-process.ts";

let folder: string;
let serve: Serve;
let other: string;
let theirs: string;
const html = `<script>alert(1)</script><img src=x onerror=alert(1)>"'--></title>`;

beforeAll(async () => {
  answers.splice(0);
  await build();
  folder = project();
  serve = await Serve.start(folder, "--workers", "2", "--request-timeout", "1s", "--prove-timeout", "5s");
  const made = await foreclaim(["serve", "credential", "make", "--name", "other", "--role", "agent"], {
    cwd: folder,
  });
  other = made.out.trim();
  theirs = await serve.file("pay.ts", { words: "a secret of theirs" }, other);
  await serve.proved(theirs, other);
});
afterAll(async () => {
  expect(await serve?.stop()).toBe(0);
  remove(folder);
});

/** The bytes as they are given: no client that mends what is wrong with them. */
function raw(text: string, endless?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const more = (): void => {
      if (endless === undefined || socket.destroyed) return;
      if (socket.write(endless)) setImmediate(more);
      else socket.once("drain", more);
    };
    const socket = connect(serve.port, "127.0.0.1", () => {
      socket.write(text);
      more();
    });
    let said = "";
    socket.on("data", (chunk) => {
      said += chunk.toString();
    });
    socket.on("end", () => resolve(said));
    socket.on("close", () => resolve(said));
    socket.on("error", (error) => (said === "" && endless === undefined ? reject(error) : resolve(said)));
  });
}

describe("an agent", () => {
  it("cannot decide, on its own requests or on those of others", async () => {
    const { id } = await serve.proved(await serve.file("pay.ts"));
    for (const decision of ["approved_once", "approved_remember", "rejected", "request_more"])
      expect(await serve.decide(id, decision, 2, {}, serve.agent)).toMatchObject({
        status: 403,
        json: { error: { code: "FC4102" } },
      });
    expect((await serve.decide(theirs, "approved_once", 2, {}, serve.agent)).status).toBe(404);
    expect((await serve.ask(serve.reviewer, `/api/requests/${id}`)).json.status).toBe("pending");
  });

  it("is told nothing of the requests of others, not even that they are there", async () => {
    const absent = `r${"0".repeat(24)}`;
    for (const [path, asked] of [
      ["", {}],
      ["/wait?revision=0&seconds=1", {}],
      ["/receipt", {}],
      ["/decision", { body: { decision: "rejected", revision: 2 } }],
      ["/progress", { method: "PUT", body: { run: "x", state: "done", calls: [], text: null } }],
    ] as const) {
      const real = await serve.ask(serve.agent, `/api/requests/${theirs}${path}`, asked);
      const none = await serve.ask(serve.agent, `/api/requests/${absent}${path}`, asked);
      expect(real.status).toBe(404);
      expect(real.text).toBe(none.text);
    }
    const list = await serve.ask(serve.agent, "/api/requests?limit=200&agent=other&q=pay");
    expect(list.text).not.toContain(theirs);
    const follows = await serve.ask(serve.agent, "/api/requests", {
      body: { program: { file: "a", text: "" }, inputs: {}, kernel: "a".repeat(64), follows: theirs },
    });
    expect(follows.status).toBe(409);
    expect(follows.text).not.toContain("secret of theirs");
  });

  it("reads no keys, no metrics and no files of the service", async () => {
    for (const path of [
      "/approvals.db.key",
      "/approvals.db.pub",
      "/api/keys",
      "/api/key",
      "/api/credentials",
      "/tools/bank.ts",
    ])
      expect((await serve.ask(serve.agent, path)).status).toBe(404);
    expect((await serve.ask(serve.agent, "/api/policy")).status).toBe(403);
    expect((await serve.ask(serve.agent, "/metrics")).status).toBe(403);
    expect((await serve.ask(undefined, "/metrics")).status).toBe(401);
    const signIn = await serve.ask(undefined, "/api/session", { body: { credential: serve.agent } });
    expect(signIn.status).toBe(403);
    expect(signIn.headers.get("set-cookie")).toBeNull();
  });

  it("loses everything at once when its credential is revoked", async () => {
    const made = await foreclaim(["serve", "credential", "make", "--name", "brief", "--role", "agent"], {
      cwd: folder,
    });
    const brief = made.out.trim();
    expect((await serve.ask(brief, "/api/session")).status).toBe(200);
    await foreclaim(["serve", "credential", "revoke", "brief"], { cwd: folder });
    expect((await serve.ask(brief, "/api/session")).status).toBe(401);
  });

  it("is nobody without a credential, or with half of one", async () => {
    for (const who of [
      undefined,
      "x",
      serve.agent.slice(0, -1),
      `${serve.agent}x`,
      serve.agent.toUpperCase(),
    ])
      expect((await serve.ask(who, "/api/requests")).json.error.code).toBe("FC4101");
    for (const authorization of [serve.agent, `Basic ${serve.agent}`, `Bearer  ${serve.agent}`])
      expect((await serve.ask(undefined, "/api/requests", { headers: { authorization } })).status).toBe(401);
  });
});

describe("a program that names files", () => {
  it.each([
    "../../../etc/passwd",
    "/etc/passwd",
    "/etc/passwd.ts",
    "../../../../../../../../etc/hostname",
    "./pipe",
    "./pipe.ts",
    "./tools/pipe",
    "./tools/late",
    "./tools/link",
    "./away/pipe",
    "./lib/secret",
    "./tools/../lib/secret",
    "./tools/bank.ts/../../lib/secret.ts",
    "node:fs",
    "fs",
    "https://example.org/a.ts",
    "file:///etc/passwd",
    "data:text/javascript,1",
    "oxc-parser",
    "./node_modules/foreclaim",
    "./tools/%2e%2e/lib/secret",
    "./tools\\\\..\\\\lib\\\\secret",
    "./approvals.db.key",
    "./tools/bank\\u0000.ts",
    "",
    ".",
    "./tools",
  ])("%j loads nothing", async (specifier) => {
    const text = `import { program } from "foreclaim";\nimport * as it from "${specifier}";\nexport default program({ guarantees: [], async run() { it.go; } });\n`;
    const found = await serve.proved(await serve.file(text));
    expect(found.status).toBe("invalid");
    expect(found.problems[0].code).toMatch(/^FC20/);
    const said = JSON.stringify(found.problems);
    expect(said).not.toContain("root:");
    expect(said).not.toContain(folder);
    expect(said).not.toContain("power");
  });

  beforeAll(() => {
    // A reader who opens one of these hangs: there is nobody at the other end. They came after the service had started.
    for (const name of ["pipe", "pipe.ts", "tools/pipe.ts"]) execFileSync("mkfifo", [join(folder, name)]);
    writeFileSync(join(folder, "tools/late.ts"), "export const go = 1;\n");
    symlinkSync("/etc/passwd", join(folder, "tools/link.ts"));
    symlinkSync(folder, join(folder, "away"));
  });

  it("is not what its name says: the name loads nothing either", async () => {
    for (const file of ["../../etc/passwd", "/etc/passwd", "pipe.ts", "tools/bank.ts", html]) {
      const text = readFileSync(join(folder, "pay.ts"), "utf8");
      const { json } = await serve.ask(serve.agent, "/api/requests", {
        body: { program: { file, text }, inputs: {}, budget: null, kernel: "a".repeat(64) },
      });
      expect(await serve.proved(json.id)).toMatchObject({ status: "pending", file });
    }
  });

  it("cannot make the service start with a module that is a link out of its folder", async () => {
    const bad = project();
    symlinkSync(join(folder, "lib/secret.ts"), join(bad, "tools/out.ts"));
    const { code, err } = await foreclaim(["serve", "--port", "0"], { cwd: bad });
    expect(code).toBe(2);
    expect(err).toContain("is a link that leads out of its tools folder");
    remove(bad);
  });
});

describe("a page of somebody else", () => {
  const signIn = async (headers: Record<string, string> = {}) =>
    serve.ask(undefined, "/api/session", { body: { credential: serve.reviewer }, headers });

  it("cannot sign a browser in, nor use its cookie", async () => {
    const own = serve.address;
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://127.0.0.1:1" },
      { origin: `http://localhost:${serve.port}.evil.example` },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: own },
    ])
      expect((await signIn(headers)).json.error.code).toBe("FC4109");
    const good = await signIn({ origin: own, "sec-fetch-site": "same-origin" });
    expect(good.json).toMatchObject({ name: "reviewer", role: "reviewer" });
    const set = good.headers.get("set-cookie") ?? "";
    expect(set).toMatch(
      /^foreclaim_session=fcs_[A-Za-z0-9_-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const cookie = set.split(";")[0] ?? "";
    const { csrf } = good.json;
    const { id } = await serve.proved(await serve.file("pay.ts"));
    const decide = (headers: Record<string, string>) =>
      serve.ask(undefined, `/api/requests/${id}/decision`, {
        body: { decision: "rejected", revision: 2 },
        headers: { cookie, ...headers },
      });
    const token = { "x-foreclaim-csrf": csrf };
    for (const headers of [
      {},
      token,
      { origin: own },
      { origin: own, "x-foreclaim-csrf": "" },
      { origin: own, "x-foreclaim-csrf": `${csrf}x` },
      { ...token, origin: "https://evil.example" },
      { ...token, origin: "null" },
      { ...token, "sec-fetch-site": "none" },
      { ...token, "sec-fetch-site": "cross-site" },
    ])
      expect((await decide(headers)).json.error.code).toBe("FC4109");
    expect((await serve.ask(serve.reviewer, `/api/requests/${id}`)).json.status).toBe("pending");
    // A cookie goes to every port of a host: a listener on another one has it, and nothing of what it is for.
    for (const path of ["/api/session", "/api/requests", `/api/requests/${id}`, "/api/policy", "/metrics"])
      expect((await serve.ask(undefined, path, { headers: { cookie } })).json.error.code).toBe("FC4101");
    const session = await serve.ask(undefined, "/api/session", { headers: { cookie, ...token } });
    expect(session.json.csrf).toBe(csrf);
    expect((await decide({ ...token, origin: own })).status).toBe(200);
    const out = await serve.ask(undefined, "/api/session", {
      method: "DELETE",
      headers: { cookie, ...token, origin: own },
    });
    expect(out.status).toBe(204);
    expect((await serve.ask(undefined, "/api/session", { headers: { cookie, ...token } })).status).toBe(401);
  });

  it("gets no leave to read", async () => {
    const origin = "https://evil.example";
    const answer = await fetch(`${serve.address}/api/requests`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    for (const path of ["/api/requests", "/", "/openapi.json"]) {
      const { headers } = await fetch(`${serve.address}${path}`, { headers: { origin } });
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  it("is not served under a name of its own", async () => {
    for (const host of ["evil.example", `evil.example:${serve.port}`, "127.0.0.1.evil.example", "", "a@b"]) {
      const said = await raw(`GET /api/session HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(said).toMatch(/^HTTP\/1.1 (421|400)/);
    }
    for (const host of [`localhost:${serve.port}`, `127.0.0.1:${serve.port}`, "[::1]:80"]) {
      const said = await raw(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(said).toMatch(/^HTTP\/1.1 200/);
    }
  });

  it("signs nobody in with an invitation twice", async () => {
    const credential = new URL(serve.page).hash.replace("#sign-in=", "");
    expect((await serve.ask(undefined, "/api/session", { body: { credential } })).status).toBe(200);
    expect((await serve.ask(undefined, "/api/session", { body: { credential } })).status).toBe(401);
    expect((await serve.ask(credential, "/api/session")).status).toBe(401);
  });
});

describe("a body", () => {
  const good = () => ({
    program: { file: "a.ts", text: "x" },
    inputs: {},
    budget: null as string | null,
    kernel: "a".repeat(64),
  });

  it("that is too large is refused before it is read to its end", async () => {
    const large = { ...good(), words: "x".repeat(2_000_000) };
    const answer = await serve.ask(serve.agent, "/api/requests", { body: large }).catch(() => undefined);
    expect(answer === undefined || answer.status === 413).toBe(true);
    // No length is said, and it never ends.
    const said = await raw(
      `POST /api/requests HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${serve.agent}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      `10000\r\n${"x".repeat(0x10000)}\r\n`,
    );
    // Who goes on sending may find the connection closed before it reads the answer.
    expect(said).toMatch(/^(HTTP\/1.1 413|$)/);
    // A refusal may be logged only after the refused client has gone.
    await expect.poll(() => serve.log.filter(({ status }) => status === 413).length).toBe(2);
  });

  it("that comes too slowly is not waited for, and neither are headers", async () => {
    const startMs = performance.now();
    const head = `POST /api/requests HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${serve.agent}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"pro`;
    const both = await Promise.all([raw(head), raw("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")]);
    expect(both[1]).toMatch(/^(HTTP\/1.1 408|$)/);
    expect(performance.now() - startMs).toBeLessThan(4_000);
    expect((await serve.ask(undefined, "/healthz")).status).toBe(200);
  });

  it.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    [
      "a field twice",
      '{"program":{"file":"a","text":"x"},"program":{"file":"a","text":"x"},"inputs":{},"kernel":""}',
    ],
    ["a field more", { ...good(), more: 1 }],
    ["a field less", { ...good(), kernel: undefined }],
    ["another type", { ...good(), inputs: [] }],
    ["no hash", { ...good(), kernel: "A".repeat(64) }],
    ["no amount", { ...good(), budget: "-1" }],
    ["no amount either", { ...good(), budget: "1e9" }],
    ["half a character", '{"program":{"file":"a","text":"\\ud800"},"inputs":{},"kernel":""}'],
    ["a name of two lines", { ...good(), program: { file: "a\nb", text: "x" } }],
    ["a long name", { ...good(), program: { file: "a".repeat(201), text: "x" } }],
    ["a long program", { ...good(), program: { file: "a", text: "x".repeat(262_145) } }],
    ["many words", { ...good(), words: "x".repeat(20_001) }],
    ["many inputs", { ...good(), inputs: { a: "x".repeat(262_145) } }],
    ["what goes deep", `{"a":${"[".repeat(100_000)}`],
  ])("with %s is refused", async (_, body) => {
    expect(await serve.ask(serve.agent, "/api/requests", { body })).toMatchObject({
      status: 400,
      json: { error: { code: "FC4104" } },
    });
  });

  it("with a number that a page would show as another is refused", async () => {
    for (const number of [
      "9007199254740993",
      "0.1000000000000000000001",
      "1e400",
      "123456789012345678901234567890",
    ]) {
      const body = JSON.stringify({ ...good(), inputs: { n: 0 } }).replace('"n":0', `"n":${number}`);
      expect((await serve.ask(serve.agent, "/api/requests", { body })).json.error.code).toBe("FC4112");
    }
    for (const number of ["0.1", "1e3", "-0", "9007199254740992", "1.50"]) {
      const body = JSON.stringify({ ...good(), inputs: { n: 0 } }).replace('"n":0', `"n":${number}`);
      expect((await serve.ask(serve.agent, "/api/requests", { body })).status).toBe(201);
    }
  });

  it("of another type, or where none belongs, is refused", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
      expect(
        (await serve.ask(serve.agent, "/api/requests", { body: good(), headers: { "content-type": type } }))
          .status,
      ).toBe(400);
    const said = await raw(
      `GET /api/requests HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${serve.agent}\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello`,
    );
    expect(said).toMatch(/^HTTP\/1.1 400/);
  });
});

describe("a path", () => {
  it.each([
    "/../../../../etc/passwd",
    "/..%2f..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/../../approvals.db.key",
    "//etc/passwd",
    "/./approvals.db",
    "/\\..\\..\\etc\\passwd",
    "/index.html%00.js",
    "/api/requests/../../approvals.db.key",
    "/api/requests/%2e%2e%2f%2e%2e%2fapprovals.db.key",
    "/__proto__",
    "/constructor",
  ])("%s leads nowhere", async (path) => {
    const said = await raw(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${serve.reviewer}\r\nConnection: close\r\n\r\n`,
    );
    expect(said).toMatch(/^HTTP\/1.1 (404|400)/);
    expect(said).not.toMatch(/root:|PRIVATE KEY|SQLite/);
  });
});

describe("what people write", () => {
  it("comes back as data, whatever is in it, in every field", async () => {
    const text = `// ${html}\n${readFileSync(join(folder, "pay.ts"), "utf8")}`;
    const { json } = await serve.ask(serve.agent, "/api/requests", {
      body: { program: { file: html, text }, inputs: {}, budget: null, kernel: "a".repeat(64), words: html },
    });
    const found = await serve.proved(json.id);
    expect(found).toMatchObject({ status: "pending", file: html, words: html, program: { text } });
    const decided = await serve.decide(json.id, "approved_once", 2, { text: html });
    expect(decided.json.decided.text).toBe(html);
    const put = await serve.ask(serve.agent, `/api/requests/${json.id}/progress`, {
      method: "PUT",
      body: {
        run: "x",
        state: "done",
        calls: [{ number: 1, tool: html, args: html, state: "done", result: html }],
        text: html,
      },
    });
    expect(put.status).toBe(204);
    const query = encodeURIComponent(html);
    for (const path of [
      `/api/requests?q=${query}`,
      `/api/requests?status=${query}`,
      `/api/requests?${query}=1`,
      `/api/requests/${query}`,
      `/${query}`,
    ])
      await serve.ask(serve.reviewer, path);
    await serve.ask(undefined, "/api/session", { body: { credential: html } });
    for (const { answer } of answers) {
      if (answer.text === "") continue;
      expect(answer.headers.get("content-type")).not.toMatch(/html/);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("is under strict headers, everywhere", async () => {
    const page = await serve.ask(undefined, "/");
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    for (const { answer } of answers) {
      expect(answer.headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(answer.headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(answer.headers.get("cache-control")).toMatch(/no-store|no-cache/);
    }
  });

  it("and who they are, is in no log", () => {
    expect(serve.log.length).toBeGreaterThan(50);
    for (const secret of [
      serve.agent,
      serve.reviewer,
      other,
      "secret of theirs",
      "alert(1)",
      "fcs_",
      "fcp_",
      "fci_",
      "fcc_",
    ])
      expect(serve.logText).not.toContain(secret);
    expect(serve.log.filter(({ event }) => event === "fault")).toEqual([]);
  });
});

describe("whoever asks too often", () => {
  it("has to wait, and does not keep others from asking", async () => {
    const own = project();
    const slow = await Serve.start(own, "--workers", "1", "--rate", "2", "--pending", "2");
    try {
      const agents = await Promise.all(
        Array.from({ length: 20 }, () => slow.ask(slow.agent, "/api/session")),
      );
      expect(agents.filter(({ status }) => status === 429).length).toBeGreaterThan(5);
      expect(agents.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("1");
      expect((await slow.ask(slow.reviewer, "/api/session")).status).toBe(200);
      const wrong: number[] = [];
      for (let i = 0; i < 15; i++)
        wrong.push((await slow.ask(undefined, "/api/session", { body: { credential: `fcc_${i}` } })).status);
      expect(wrong.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401));
      expect(wrong.slice(11)).toEqual([429, 429, 429, 429]);
      expect((await slow.ask("fcc_x", "/api/session")).status).toBe(429);
      expect((await slow.ask(slow.reviewer, "/api/session")).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const filed: number[] = [];
      for (let i = 0; i < 3; i++) {
        const { status, json } = await slow.ask(slow.agent, "/api/requests", {
          body: {
            program: { file: "pay.ts", text: readFileSync(join(own, "pay.ts"), "utf8") },
            inputs: {},
            kernel: "a".repeat(64),
          },
        });
        filed.push(status);
        if (status === 429) expect(json.error.code).toBe("FC4111");
      }
      expect(filed).toEqual([201, 201, 429]);
    } finally {
      await slow.stop();
      remove(own);
    }
  });
});
