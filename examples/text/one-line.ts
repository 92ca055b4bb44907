/** Takes a remark only if it is one line of printable characters: a regular expression keeps line ends out. */
import { program } from "foreclaim";
import * as text from "./tools/text";

export default program({
  guarantees: [text.oneLine(), text.onlyDocuments(["remarks"])],
  async run({ remark }: { remark: string }) {
    if (/^[ -~]+$/.test(remark)) await text.append({ name: "remarks", text: remark });
  },
});
