/** A project of `init --with` that runs: files are really read and written, and the world's surprises stop the run. */

import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { standardModules } from "../../src/cli/commands/init/definition.ts";
import { build, foreclaim, root } from "../cli/built.ts";

let folder = "";
beforeAll(async () => {
  await build();
  folder = mkdtempSync(join(tmpdir(), "foreclaim-desk-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const note = `import { program } from "foreclaim";
import * as fs from "./tools/fs";

export default program({
  guarantees: [fs.writesOnly(["hello.txt", "new.txt"]), fs.writesAtMost(2)],
  async run() {
    const text = await fs.read({ path: "hello.txt" });
    if (text === null) return;
    await fs.replace({ path: "hello.txt", text: "good bye" });
    await fs.create({ path: "new.txt", text: "new" });
  },
});
`;

const desk = `import { program } from "foreclaim";
import * as random from "./tools/random";
import * as shell from "./tools/shell";
import * as sql from "./tools/sql";
import * as time from "./tools/time";

export default program({
  guarantees: [sql.rowsAtMost(1), shell.onlyPrograms(["wc"]), random.drawsAtMost(1), time.readsAtMost(1)],
  async run() {
    await time.now({ zone: "UTC" });
    const drawn = await random.integer({ from: 3, to: 5 });
    const found = await sql.query({ sql: "SELECT id FROM orders WHERE state = ?", tables: ["orders"], values: ["open"] });
    const late = await sql.change({ sql: "UPDATE orders SET state = ? WHERE state = ?", table: "orders", values: ["late", "open"], most: 1 });
    const { out } = await shell.run({ program: "wc", args: ["-l", "hello.txt"] });
    return { found, late, lines: out, isDrawn: drawn >= 3 };
  },
});
`;

it("reads, replaces and creates, and refuses a link that took the place of a file", async () => {
  const made = await foreclaim(["init", folder, "--with", "fs,http"]);
  expect(made.code).toBe(0);
  writeFileSync(join(folder, "note.ts"), note);
  const first = await foreclaim(["run", join(folder, "note.ts"), "--yes"]);
  expect(first.code, first.err).toBe(0);
  expect(readFileSync(join(folder, "files/hello.txt"), "utf8")).toBe("good bye");
  expect(readFileSync(join(folder, "files/new.txt"), "utf8")).toBe("new");

  rmSync(join(folder, "files/hello.txt"));
  symlinkSync(join(folder, "package.json"), join(folder, "files/hello.txt"));
  const before = readFileSync(join(folder, "package.json"), "utf8");
  const second = await foreclaim(["run", join(folder, "note.ts"), "--yes"]);
  expect(second.code).toBe(4);
  expect(`${second.out}${second.err}`).toContain("is a link");
  expect(readFileSync(join(folder, "package.json"), "utf8")).toBe(before);
});

it("runs statements, programs, readings and draws of real parts", async () => {
  const shop = join(folder, "shop");
  const made = await foreclaim(["init", shop, "--with", standardModules.join(",")]);
  expect(made.code, made.err).toBe(0);
  const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite");
  const db = new DatabaseSync(join(shop, "shop.db"));
  db.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, state TEXT, total REAL)");
  db.exec("INSERT INTO orders VALUES (1, 7, 'open', 5), (2, 7, 'paid', 6)");
  writeFileSync(join(shop, "desk.ts"), desk);
  const ran = await foreclaim(["run", join(shop, "desk.ts"), "--yes", "--json"]);
  expect(ran.code, `${ran.out}${ran.err}`).toBe(0);
  expect(JSON.parse(ran.out).result).toEqual({
    found: [{ id: 1 }],
    late: 1,
    lines: "1 hello.txt\n",
    isDrawn: true,
  });
  expect(db.prepare("SELECT state FROM orders ORDER BY id").all()).toEqual([
    { state: "late" },
    { state: "paid" },
  ]);

  // Without the table the call fails, the run stops, and nothing is changed.
  db.exec("ALTER TABLE orders RENAME TO kept");
  const stopped = await foreclaim(["run", join(shop, "desk.ts"), "--yes"]);
  db.close();
  expect(stopped.code).toBe(4);
  expect(`${stopped.out}${stopped.err}`).toContain("orders");
});

const report = `import { program } from "foreclaim";
import * as fs from "./tools/fs";

export default program({
  guarantees: [fs.writesInside("reports"), fs.writesAtMost(1)],
  async run() {
    await fs.create({ path: "reports/today.txt", text: "all is well" });
  },
});
`;
const invitation = `import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.only(["ann@example.com", "bob@example.com"]), mail.eachAtMost(1), mail.attachesOnly([])],
  async run() {
    for (const to of ["ann@example.com", "bob@example.com"])
      await mail.send({ to, subject: "Tuesday", text: "At nine.", attachments: [] });
  },
});
`;

it("the policies of the page approve what they say, and leave the rest to a person", async () => {
  const shop = join(folder, "policies");
  expect((await foreclaim(["init", shop, "--with", standardModules.join(",")])).code).toBe(0);
  cpSync(join(import.meta.dirname, "project"), shop, { recursive: true });
  writeFileSync(join(shop, "report.ts"), report);
  writeFileSync(join(shop, "invitation.ts"), invitation);
  const page = readFileSync(join(root, "docs/how-to/use-the-standard-modules.md"), "utf8");
  const policies = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  const cases = [
    [["report", "reports"], ["careless"]],
    [["overdue", "orders"], ["count-orders", "orders"], ["concatenates"]],
    [
      ["tidy-up", "docs"],
      ["invitation", "two mails"],
      ["count-lines", "counting"],
      ["pushes-all"],
      ["forwards"],
      ["runs-answers"],
    ],
    [["consult", "questions"], ["nags"]],
  ];
  expect(policies).toHaveLength(cases.length);
  for (const [at, policy] of policies.entries()) {
    const path = join(shop, `policy-${at}.json`);
    writeFileSync(path, policy);
    const programs = cases[at] ?? [];
    const { out } = await foreclaim([
      "policy",
      "check",
      path,
      ...programs.map(([name]) => join(shop, `${name}.ts`)),
    ]);
    // Lines are wrapped for a terminal.
    const said = out.replace(/\s+/g, " ");
    for (const [name, rule] of programs) {
      if (rule === undefined) {
        expect(said).toContain(`/${name}.ts: not approved`);
        expect(said).not.toContain(`/${name}.ts: approved`);
      } else expect(said).toContain(`/${name}.ts: approved by the rule \`${rule}\``);
    }
  }
});

it("refuses a module that there is not, and writes nothing", async () => {
  const { code, err } = await foreclaim(["init", join(folder, "x"), "--with", "fs,ftp"]);
  expect(code).toBe(2);
  expect(err).toContain("ftp");
});
