/** Looks at files and changes nothing: calls in `Promise.all`, destructuring of what they return. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

export default program({
  guarantees: [fs.readOnly(), fs.nothingLockedAtEnd()],
  async run() {
    const [names, readme] = await Promise.all([fs.list({ path: "/" }), fs.read({ path: "/README.md" })]);
    const complete = names.includes("LICENSE") && (readme?.startsWith("#") ?? false);
    if (!complete) throw new Error("the folder is not complete");
  },
});
