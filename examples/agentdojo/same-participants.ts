/** Invites those who take part in another event, and tells them nothing that is not for everybody. */
import { program } from "foreclaim";
import * as sharing from "./tools/sharing";
import * as workspace from "./tools/workspace";

export default program({
  guarantees: [sharing.onlyTools(["create_calendar_event"])],
  async run() {
    for (const { participants } of await workspace.search_calendar_events({ query: "Kick-off" })) {
      await workspace.create_calendar_event({
        title: "Follow-up",
        start_time: "2026-01-06 10:00",
        end_time: "2026-01-06 11:00",
        participants,
      });
    }
  },
});
