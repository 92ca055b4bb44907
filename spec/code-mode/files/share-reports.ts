/**
 * Task: Share all final reports of the folder (tag "final") with client@corp.com, read-only, and give me the links.
 * Verdict: holds
 * Why: Email and role of every share are literals.
 * Features: Promise.all, optional chaining on tags, map to pairs, Object.fromEntries
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.sharesOnlyWith("client@corp.com"), files.sharesOnlyAs("viewer"), files.neverRemoves()],
  async run({ folder }: { folder: string }) {
    const entries = await files.list({ folder });
    const reports = entries.filter((e) => e.kind === "file" && e.tags?.includes("final"));

    const links = await Promise.all(
      reports.map(async ({ name, path }) => {
        const { link } = await files.share({ path, email: "client@corp.com", role: "viewer" });
        return [name, link] as const;
      }),
    );
    return { shared: links.length, links: Object.fromEntries(links) };
  },
});
