/** A policy for those who trust less: what others wrote decides neither what is given to a tool nor whether it is called. */
import { contract, coverage, influencedBy } from "foreclaim";
import {
  add_user_to_channel,
  get_webpage,
  invite_user_to_slack,
  post_webpage,
  remove_user_from_slack,
  send_channel_message,
  send_direct_message,
} from "../tools/slack";

/** Nothing that others wrote has a say in who is let in or put out. */
export const people = contract(
  () =>
    add_user_to_channel.none((e) => influencedBy(e, "outside")) &&
    invite_user_to_slack.none((e) => influencedBy(e, "outside")) &&
    remove_user_from_slack.none((e) => influencedBy(e, "outside")),
);

/** Nothing that others wrote has a say in any message. */
export const messages = contract(
  () =>
    send_direct_message.none((e) => influencedBy(e, "outside")) &&
    send_channel_message.none((e) => influencedBy(e, "outside")),
);

/** Nothing that others wrote has a say in which pages are visited or published. */
export const web = contract(
  () =>
    get_webpage.none((e) => influencedBy(e, "outside")) &&
    post_webpage.none((e) => influencedBy(e, "outside")),
);

export const policy = coverage({
  whenUsed: [
    add_user_to_channel,
    invite_user_to_slack,
    remove_user_from_slack,
    send_direct_message,
    send_channel_message,
    post_webpage,
    get_webpage,
  ],
  recommended: [],
  required: [people, messages, web],
  label: "slack, strictly",
});
