/** Wrong: those who take part in an event are told what stands in somebody's email. */
import { program } from "foreclaim";
import * as reader from "./tools/reader";
import * as sharing from "./tools/sharing";
import * as workspace from "./tools/workspace";

export default program({
  guarantees: [sharing.onlyTools(["create_calendar_event"])],
  async run() {
    const mails = await workspace.search_emails({ query: "Agenda" });
    const from = mails.map((mail) => mail.body).join("\n");
    const description = await reader.text({ what: "the agenda", from });
    for (const { participants } of await workspace.search_calendar_events({ query: "Kick-off" })) {
      await workspace.create_calendar_event({
        title: "Follow-up",
        start_time: "2026-01-06 10:00",
        end_time: "2026-01-06 11:00",
        description,
        participants,
      });
    }
  },
});
