/** Promises about messages of all kinds. */
import { contract, labelled } from "foreclaim";
import "./mail";
import "./sms";

/** At most so many messages are sent, whichever way. */
export const messagesAtMost = contract((n: number) => labelled("message").count() <= n);

/** No message is longer than this. */
export const shortMessages = contract((n: number) =>
  labelled<{ msg: string }>("message").all((m) => m.msg.length <= n),
);
