/** Breaks each guarantee: sends, to wherever, twice, at length. */
import { program } from "foreclaim";
import * as http from "./tools/http.ts";

export default program({
  guarantees: [
    http.inside("https://api.example.com/reports"),
    http.onlyUrls(["https://api.example.com/reports"]),
    http.sendsNothing(),
    http.atMost(1),
    http.shortBodies(10),
  ],
  async run({ text }: { text: string }) {
    await http.get({ url: "https://api.example.com/other" });
    await http.post({ url: "https://api.example.com/other", body: text.slice(0, 20) });
  },
});
