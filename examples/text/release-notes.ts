/** Writes release notes: `map`, `join`, a template literal, and a promise about the exact words. */
import { program } from "foreclaim";
import * as text from "./tools/text";

const CHANGES = ["faster start", "clearer errors"];

export default program({
  guarantees: [
    text.says("notes", "Version 2\n- faster start\n- clearer errors"),
    text.startsWith("Version"),
    text.onlyDocuments(["notes"]),
    text.neverSays(["TBD", "secret"]),
  ],
  async run() {
    const lines = CHANGES.map((change) => `- ${change}`);
    await text.write({ name: "notes", text: ["Version 2", ...lines].join("\n") });
  },
});
