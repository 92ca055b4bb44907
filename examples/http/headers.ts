/** Builds headers from parts: spread of arrays and objects, `concat`, defaults, a list of records in a contract. */
import { program } from "foreclaim";
import * as http from "./tools/http";

const BASE: http.Header[] = [{ name: "Accept", value: "application/json" }];
const OPTIONS = { url: "https://api.example.com/search", body: "{}" };

function withLanguage(headers: http.Header[], language = "en"): http.Header[] {
  return [...headers, { name: "Accept-Language", value: language }];
}

export default program({
  guarantees: [http.onlyHeaders(["Accept", "Accept-Language"]), http.secretOnlyTo("Cookie", "https://api.")],
  async run({ language }: { language?: string }) {
    await http.post({ ...OPTIONS, headers: withLanguage(BASE, language) });
  },
});
