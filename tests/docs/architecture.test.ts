/** The table of rooms in ARCHITECTURE.md is the one that imports are held to. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOMS } from "../../scripts/rooms.mjs";
import { ROOT } from "../../scripts/tools.mjs";
import { pageNow } from "./pages.ts";

const rows = Array.from(
  pageNow("ARCHITECTURE.md").text.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \| (here|begun|planned) \|$/gm),
  ([, room = "", imports = "", stands = ""]) => ({ room, imports, stands }),
);

/** What some rows say in words. */
const inWords: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  "nothing; talks to `approve` over HTTP": [],
  "all but `cli` and `web`": Object.keys(ROOMS).filter((room) => !["cli", "web", "index"].includes(room)),
  "everything but `web`": Object.keys(ROOMS).filter((room) => !["web", "cli"].includes(room)),
  "the public package only": ["index"],
};

describe("the rooms in ARCHITECTURE.md", () => {
  test("are all there are", () => {
    expect(rows.map(({ room }) => room).sort()).toEqual(Object.keys(ROOMS).sort());
  });

  test.each(rows)("$room imports what it may", ({ room, imports }) => {
    const named = inWords[imports] ?? Array.from(imports.matchAll(/`(\w+)`/g), ([, name = ""]) => name);
    expect([...named].sort()).toEqual([...(ROOMS[room] ?? [])].sort());
  });

  test.each(rows)("$room is $stands", ({ room, stands }) => {
    const path = room === "index" ? "src/index.ts" : `src/${room}`;
    const exists = existsSync(join(ROOT, path));
    expect(stands).toMatch(exists ? /here|begun/ : /planned|begun/);
  });
});
