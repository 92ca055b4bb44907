/** Fetches a report once and keeps it as a new file. */
import { program } from "foreclaim";
import * as fs from "./tools/fs.ts";
import * as http from "./tools/http.ts";

export default program({
  guarantees: [
    http.inside("https://api.example.com/reports"),
    http.onlyUrls(["https://api.example.com/reports/today"]),
    http.sendsNothing(),
    http.atMost(1),
    fs.writesInside("reports"),
    fs.writesOnly(["reports/today.txt"]),
    fs.writesAtMost(1),
    fs.charactersAtMost(2000),
    fs.overwritesNothing(),
    fs.readsInside(["reports"]),
  ],
  async run() {
    if ((await fs.read({ path: "reports/today.txt" })) !== null) return;
    const { status, body } = await http.get({ url: "https://api.example.com/reports/today" });
    if (status === 200) await fs.create({ path: "reports/today.txt", text: body.slice(0, 2000) });
  },
});
