import { describe, expect, test } from "vitest";
import { hostServers } from "./hosts.ts";
import { ownEntryText, withOwnEntry } from "./own-entry.ts";

/** The servers by name, with their configurations; or the message of what is wrong. */
async function read(file: string, text: string) {
  const found = await hostServers(file, text);
  return found.ok
    ? Object.fromEntries(found.value.servers.map(({ as, config }) => [as, config]))
    : found.problems[0]?.message;
}
const brace = (name: string) => `\${${name}}`;
const notes = async (file: string, text: string) => {
  const found = await hostServers(file, text);
  return found.ok ? found.value.notes : [];
};

describe("JSON", () => {
  test("of Claude Code and Cursor", async () => {
    const text = JSON.stringify({
      mcpServers: {
        "chrome-devtools": {
          command: "npx",
          args: ["-y", "x"],
          env: { PORT: 9222, DEBUG: true, A: brace("A") },
        },
        docs: {
          type: "http",
          url: "https://example.org/mcp",
          headers: { Authorization: `Bearer ${brace("T")}` },
        },
        foreclaim: { command: "npx", args: ["foreclaim", "mcp"] },
        off: { command: "x", disabled: true },
      },
    });
    for (const file of [".mcp.json", ".cursor/mcp.json"]) {
      expect(await read(file, text)).toEqual({
        chrome_devtools: {
          command: "npx",
          args: ["-y", "x"],
          env: { PORT: "9222", DEBUG: "true", A: brace("A") },
        },
        docs: { url: "https://example.org/mcp", headers: { Authorization: `Bearer ${brace("T")}` } },
      });
      expect(await hostServers(file, text)).toMatchObject({ value: { hasOwn: true } });
      expect(await notes(file, text)).toEqual([
        `the server \`off\` of \`${file}\` is turned off, and was omitted`,
      ]);
    }
  });

  test("of VS Code, with comments and commas at the end", async () => {
    const text = `\uFEFF{
  // the servers
  "servers": {
    "a": { "type": "stdio", "command": "node", "args": ["//not a comment", "/* nor this */", ",}"], "cwd": "${brace("workspaceFolder")}/a" }, /* the
    last */
  },
  "inputs": [],
}`;
    expect(await read(".vscode/mcp.json", text)).toEqual({
      a: {
        command: "node",
        args: ["//not a comment", "/* nor this */", ",}"],
        env: {},
        cwd: `${brace("workspaceFolder")}/a`,
      },
    });
  });

  test.each([
    ["{", "`f.json` is not JSON"],
    ['{ "mcpServers": { "a": { "command": "x" } }', "`f.json` is not JSON"],
    ["[]", "`f.json` is not an object"],
    ["null", "`f.json` is not an object"],
    ['{ "mcpServers": [] }', "`f.json` has `mcpServers` that is no object"],
    ['{ "mcpServers": { "a": 1 } }', "the server `a` of `f.json` is not an object"],
    ['{ "mcpServers": { "a": {} } }', "the server `a` of `f.json` has neither a command nor a URL"],
    [
      '{ "mcpServers": { "a": { "command": "" } } }',
      "the server `a` of `f.json` has a `command` that is no text",
    ],
    [
      '{ "mcpServers": { "a": { "command": ["x"] } } }',
      "the server `a` of `f.json` has a `command` that is no text",
    ],
    [
      '{ "mcpServers": { "a": { "command": "x", "args": "y" } } }',
      "the server `a` of `f.json` has `args` that are no list of texts",
    ],
    [
      '{ "mcpServers": { "a": { "command": "x", "args": [1] } } }',
      "the server `a` of `f.json` has `args` that are no list of texts",
    ],
    [
      '{ "mcpServers": { "a": { "command": "x", "env": { "T": null } } } }',
      "the server `a` of `f.json` has an `env` whose values are no texts",
    ],
    [
      '{ "mcpServers": { "a": { "command": "x", "cwd": 1 } } }',
      "the server `a` of `f.json` has a `cwd` that is no text",
    ],
    [
      '{ "mcpServers": { "a": { "command": "x", "url": "https://y" } } }',
      "the server `a` of `f.json` has a command and a URL",
    ],
    ['{ "mcpServers": { "a": { "url": 1 } } }', "the server `a` of `f.json` has a `url` that is no text"],
    [
      '{ "mcpServers": { "a": { "url": "file:///x" } } }',
      "the server `a` of `f.json` has a `url` that is no address of the web",
    ],
    [
      '{ "mcpServers": { "a": { "url": "https://x", "headers": ["y"] } } }',
      "the server `a` of `f.json` has `headers` that are no texts",
    ],
    [
      '{ "mcpServers": { "a": { "type": "sse", "url": "https://x" } } }',
      "the server `a` of `f.json` speaks over SSE, which is not supported",
    ],
    [
      '{ "mcpServers": { "a-b": { "command": "x" }, "a.b": { "command": "y" } } }',
      "`f.json` has two servers that would both be the module `a_b`: `a-b` and `a.b`",
    ],
  ])("%s: nothing is taken", async (text, message) => {
    expect(await read("f.json", text)).toBe(message);
  });

  test("at most 200 servers", async () => {
    const of = (n: number) =>
      JSON.stringify({
        mcpServers: Object.fromEntries(Array.from({ length: n }, (_, i) => [`s${i}`, { command: "x" }])),
      });
    expect(Object.keys(Object(await read("f.json", of(200))))).toHaveLength(200);
    expect(await read("f.json", of(201))).toBe("`f.json` has more than 200 servers");
  });

  test("names that cannot be modules", async () => {
    const text = `{ "mcpServers": { "1-x": { "command": "x" }, "class": { "command": "y" }, "__proto__": { "command": "z" } } }`;
    expect(Object.keys(Object(await read("f.json", text)))).toEqual(["s1_x", "class_server", "s__proto__"]);
  });

  test("a secret that stands in the file is told by its name", async () => {
    const text = `{ "mcpServers": { "a": { "command": "x", "env": { "API_TOKEN": "hunter22", "MODE": "y", "B_KEY": "${brace("B")}" } } } }`;
    const [note, ...more] = await notes("f.json", text);
    expect(more).toEqual([]);
    expect(note).toContain("`API_TOKEN`");
    expect(note).not.toContain("hunter22");
  });
});

describe("TOML of Codex", () => {
  const file = ".codex/config.toml";

  test("tables, inline tables, lists over several lines, and everything else that the file holds", async () => {
    const text = `model = "o3" # a comment
when = 2026-01-01T00:00:00Z
notes = """
[mcp_servers.not_one]
"""

[profiles.fast]
model = 'x'

[mcp_servers.docs]
command = "npx"
args = [
  "-y", # yes
  'C:\\literal',
]
env_vars = ["TOKEN", { name = "OTHER" }]
cwd = "sub"
startup_timeout_sec = 10.5
disabled_tools = ["drop"]

[mcp_servers.docs.env]
MODE = "a \\"b\\""

[mcp_servers]
remote = { url = "https://example.org/mcp", bearer_token_env_var = "GH", http_headers = { X = "1" }, env_http_headers = { "X-Key" = "KEY" } }
"quoted name" = { command = "x" }
off = { command = "x", enabled = false }
`;
    expect(await read(file, text)).toEqual({
      docs: {
        command: "npx",
        args: ["-y", "C:\\literal"],
        env: { TOKEN: brace("TOKEN"), OTHER: brace("OTHER"), MODE: 'a "b"' },
        cwd: "sub",
      },
      remote: {
        url: "https://example.org/mcp",
        headers: { "X-Key": brace("KEY"), Authorization: `Bearer ${brace("GH")}`, X: "1" },
      },
      quoted_name: { command: "x", args: [], env: {} },
    });
    expect(await notes(file, text)).toEqual([
      "the server `docs` of `.codex/config.toml` has `disabled_tools`: state `docs.neverCalls([…])` for them",
      "the server `off` of `.codex/config.toml` is turned off, and was omitted",
    ]);
  });

  test("no servers, and nothing at all", async () => {
    expect(await read(file, "")).toEqual({});
    expect(await read(file, 'model = "x"\n[servers.a]\ncommand = "x"')).toEqual({});
  });

  test.each([
    ['[mcp_servers.a]\ncommand = "x', "`.codex/config.toml` is not TOML at line 2"],
    ["[mcp_servers.a", "`.codex/config.toml` is not TOML at line 1"],
    ['[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a]\n', "`.codex/config.toml` is not TOML at line 3"],
    ["mcp_servers = 1", "has `mcp_servers` that is no object"],
    ["[[mcp_servers]]\ncommand = 'x'", "has `mcp_servers` that is no object"],
    ["mcp_servers.a = 'x'", "the server `a` of `.codex/config.toml` is not an object"],
    ["[mcp_servers.a]\nargs = []", "has neither a command nor a URL"],
    ["[mcp_servers.a]\ncommand = 2026-01-01\nargs = [2]", "has `args` that are no list of texts"],
    ["[mcp_servers.a]\ncommand = 'x'\nenv = ['T']", "has an `env` whose values are no texts"],
    ["[mcp_servers.a]\ncommand = 'x'\nenv_vars = 'T'", "has an `env` whose values are no texts"],
    ["[mcp_servers.a]\ncommand = 'x'\nenv_vars = [1]", "has an `env` whose values are no texts"],
    ["[mcp_servers.a]\nurl = 'https://x'\nbearer_token_env_var = 1", "has `headers` that are no texts"],
    ["[mcp_servers.a]\nurl = 'https://x'\nenv_http_headers = { X = 1 }", "has `headers` that are no texts"],
    ["[mcp_servers.a]\nurl = 'https://x'\nenv_http_headers = 1", "has `headers` that are no texts"],
    ["[mcp_servers.a]\nurl = 'https://x'\nhttp_headers = 1", "has `headers` that are no texts"],
  ])("%j: nothing is taken", async (text, message) => {
    expect(await read(file, text)).toContain(message);
  });

  test("a message quotes nothing of a file, which may hold secrets", async () => {
    const text = '[mcp_servers.a]\nenv = { TOKEN = "hunter22" \ncommand = "hunter22"';
    expect(await read(file, text)).toMatch(/^`.codex\/config.toml` is not TOML at line \d, column \d+$/);
  });
});

describe("our own entry", () => {
  test("in JSON, indented as the file is, beside what is there", async () => {
    const text = '{\n\t"mcpServers": {\n\t\t"a": { "command": "x" }\n\t},\n\t"more": 1\n}';
    const changed = (await withOwnEntry(".mcp.json", text, "ledger.db")) ?? "";
    expect(JSON.parse(changed)).toEqual({
      mcpServers: {
        a: { command: "x" },
        foreclaim: {
          command: "npx",
          args: ["foreclaim", "mcp", "serve", "--observe", "--ledger", "ledger.db"],
        },
      },
      more: 1,
    });
    expect(changed).toContain('\n\t"mcpServers"');
    expect(await hostServers(".mcp.json", changed)).toMatchObject({ value: { hasOwn: true } });
    expect(JSON.parse((await withOwnEntry(".vscode/mcp.json", "{}", "l")) ?? "")).toHaveProperty(
      "servers.foreclaim",
    );
  });

  test("in TOML, after what is there, word for word", async () => {
    const text = '# mine\n[mcp_servers.a]\ncommand = "x" # keep';
    const changed = (await withOwnEntry(".codex/config.toml", text, "ledger.db")) ?? "";
    expect(changed.startsWith(text)).toBe(true);
    const found = await hostServers(".codex/config.toml", changed);
    expect(found).toMatchObject({ ok: true, value: { hasOwn: true, servers: [{ name: "a" }] } });
  });

  test.each([
    [".vscode/mcp.json", '{ "servers": {} } // mine'],
    [".mcp.json", '{ "mcpServers": [] }'],
    [".mcp.json", "{"],
    [".codex/config.toml", 'mcp_servers = { a = { command = "x" } }'],
    [".codex/config.toml", "x = "],
  ])("is for a person to write into %s with %s", async (file, text) => {
    expect(await withOwnEntry(file, text, "ledger.db")).toBeUndefined();
  });

  test.each([".mcp.json", ".vscode/mcp.json", ".codex/config.toml"])("as a text for %s", async (file) => {
    expect(await hostServers(file, ownEntryText(file, "ledger.db"))).toMatchObject({
      ok: true,
      value: { hasOwn: true },
    });
  });
});
