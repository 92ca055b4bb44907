/** The table of rooms in ARCHITECTURE.md is the one that imports are held to. */

import { describe, expect, test } from "vitest";
import { PUBLIC, ROOMS } from "../../scripts/rooms.mjs";
import { pageNow } from "./pages.ts";

const rows = Array.from(
  pageNow("ARCHITECTURE.md").text.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$/gm),
  ([, room = "", imports = ""]) => ({ room, imports }),
);

/** Cells that are words. */
const inWords: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  "types of `approve/wire.ts`": [],
  "every room but `playground`, `web`, `sql` and `stdlib`": Object.keys(ROOMS).filter(
    (room) => !["playground", "web", "sql", "stdlib", "cli"].includes(room),
  ),
};

describe("the rooms in ARCHITECTURE.md", () => {
  test("are all there are", () => {
    const expected = Object.keys(ROOMS).filter((room) => room !== PUBLIC);
    expect(rows.map(({ room }) => room).sort()).toEqual(expected.sort());
  });

  test.each(rows)("$room imports what it may", ({ room, imports }) => {
    const named = inWords[imports] ?? Array.from(imports.matchAll(/`(\w+)`/g), ([, name = ""]) => name);
    expect([...named].sort()).toEqual([...(ROOMS[room] ?? [])].sort());
  });
});
