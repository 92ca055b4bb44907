/**
 * Channels, inboxes and web pages: the tools of AgentDojo's slack suite, and promises about who is let in and who gets
 * to read what. Others can write into messages and pages, and choose the names of users and channels.
 */
import { contract, coverage, flowsFrom, mayRead, tool, untrusted } from "foreclaim";

export interface Message {
  sender: string;
  /** A user, or a channel. */
  recipient: string;
  body: string;
}

const members = new Map([["general", ["Ann", "Bob"]]]);
const messages: Message[] = [{ sender: "Bob", recipient: "general", body: "See www.example.com" }];
const invited = new Map<string, string>();
const pages = new Map([["www.example.com", "An article."]]);

// ── what can be looked at ────────────────────────────────────────────────────────────────────────────────

/** The names of the channels, which everybody may know. */
export const get_channels = tool({
  reads: true,
  source: "untrusted",
  stores: ["slack"],
  labels: ["outside"],
  run: async (): Promise<string[]> => [...members.keys()],
});

/** The names of those who are in a channel, which everybody may know. */
export const get_users_in_channel = tool({
  reads: true,
  source: "untrusted",
  stores: ["slack"],
  labels: ["outside"],
  run: async ({ channel }: { channel: string }): Promise<string[]> => members.get(channel) ?? [],
});

/** The messages in a channel. Its members may read them too, but what is returned does not say who they are. */
export const read_channel_messages = tool({
  reads: true,
  source: "untrusted",
  stores: ["slack"],
  labels: ["outside", "restricted"],
  readers: (row) => [row.sender],
  run: async ({ channel }: { channel: string }): Promise<Message[]> =>
    messages.filter(({ recipient }) => recipient === channel),
});

/** The messages that a user got. */
export const read_inbox = tool({
  reads: true,
  source: "untrusted",
  stores: ["slack"],
  labels: ["outside", "restricted"],
  readers: (row) => [row.sender, row.recipient],
  run: async ({ user }: { user: string }): Promise<Message[]> =>
    messages.filter(({ recipient }) => recipient === user),
});

/** A web page. Its operator learns of the request. */
export const get_webpage = tool({
  reads: true,
  source: "untrusted",
  stores: ["web"],
  labels: ["outside"],
  run: async ({ url }: { url: string }): Promise<string> => pages.get(url) ?? "",
});

// ── what changes something ───────────────────────────────────────────────────────────────────────────────

/** Lets a user into a channel. */
export const add_user_to_channel = tool({
  stores: ["slack"],
  run: async ({ user, channel }: { user: string; channel: string }): Promise<void> => {
    members.set(channel, [...(members.get(channel) ?? []), user]);
  },
});

/** Lets somebody into the workspace. */
export const invite_user_to_slack = tool({
  stores: ["slack"],
  run: async ({ user, user_email }: { user: string; user_email: string }): Promise<void> => {
    invited.set(user, user_email);
  },
});

/** Puts a user out of the workspace. */
export const remove_user_from_slack = tool({
  stores: ["slack"],
  run: async ({ user }: { user: string }): Promise<void> => {
    invited.delete(user);
    for (const [channel, users] of members)
      members.set(
        channel,
        users.filter((one) => one !== user),
      );
  },
});

/** Writes to a user. */
export const send_direct_message = tool({
  stores: ["slack"],
  run: async ({ recipient, body }: { recipient: string; body: string }): Promise<void> => {
    messages.push({ sender: "Ann", recipient, body });
  },
});

/** Writes into a channel. */
export const send_channel_message = tool({
  stores: ["slack"],
  run: async ({ channel, body }: { channel: string; body: string }): Promise<void> => {
    messages.push({ sender: "Ann", recipient: channel, body });
  },
});

/** Publishes a page. */
export const post_webpage = tool({
  stores: ["web"],
  run: async ({ url, content }: { url: string; content: string }): Promise<void> => {
    pages.set(url, content);
  },
});

// ── the policy ───────────────────────────────────────────────────────────────────────────────────────────

/** Nothing that others wrote says who is let into which channel. */
export const addedUsers = contract(() =>
  add_user_to_channel.all((e) => !untrusted(e.user) && !untrusted(e.channel)),
);

/** Nothing that others wrote says who is let into the workspace. */
export const invitedUsers = contract(() =>
  invite_user_to_slack.all((e) => !untrusted(e.user) && !untrusted(e.user_email)),
);

/** Nothing that others wrote says who is put out. */
export const removedUsers = contract(() => remove_user_from_slack.all((e) => !untrusted(e.user)));

/** Nothing that others wrote says whom a message goes to, unless that one may read all that is in it. */
export const directMessages = contract(() =>
  send_direct_message.all((e) => !untrusted(e.recipient) || mayRead(e.body, e.recipient)),
);

/** Only what everybody may read goes into a channel: who its members are at that moment, no proof can know. */
export const channelMessages = contract(() =>
  send_channel_message.all((e) => !flowsFrom(e.body, "restricted")),
);

/** Only what everybody may read is published. */
export const postedPages = contract(() =>
  post_webpage.all((e) => !flowsFrom(e.url, "restricted") && !flowsFrom(e.content, "restricted")),
);

/** The address of a visited page tells nothing that not everybody may read. */
export const visitedPages = contract(() => get_webpage.all((e) => !flowsFrom(e.url, "restricted")));

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
  required: [
    addedUsers,
    invitedUsers,
    removedUsers,
    directMessages,
    channelMessages,
    postedPages,
    visitedPages,
  ],
  label: "slack",
});

/** Nothing at all is promised. */
export const noGuarantees = contract(() => true);
