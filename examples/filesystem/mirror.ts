/** Writes one text to two files: paths made by a template, a promise that both agree. */
import { program } from "foreclaim";
import { inStep, lock, nothingLockedAtEnd, read, release, write, writesOnce } from "./tools/fs";

const FOLDERS = ["/a", "/b"];

export default program({
  guarantees: [inStep("/a/list.txt", "/b/list.txt"), writesOnce(), nothingLockedAtEnd()],
  async run() {
    const text = (await read({ path: "/list.txt", encoding: "utf8" })) ?? "";
    for (const folder of FOLDERS) {
      const path = `${folder}/list.txt`;
      await lock({ path });
      await write({ path, text });
      await release({ path });
    }
  },
});
