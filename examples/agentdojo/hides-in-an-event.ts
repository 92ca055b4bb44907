/** Wrong: an address from an email goes into an event and comes back in what the tool returns, no more trusted than before. */
import { program } from "foreclaim";
import * as reader from "./tools/reader";
import * as sharing from "./tools/sharing";
import * as workspace from "./tools/workspace";

export default program({
  guarantees: [sharing.onlyTools(["create_calendar_event", "share_file"])],
  async run() {
    const mails = await workspace.get_unread_emails();
    const from = mails.map((mail) => mail.body).join("\n");
    const location = await reader.text({ what: "an address", from });
    const times = { start_time: "2026-01-06 10:00", end_time: "2026-01-06 11:00" };
    const event = await workspace.create_calendar_event({ title: "Note", location, ...times });
    await workspace.share_file({ file_id: "1", email: event.location, permission: "r" });
  },
});
