// The one comment of a pull request: written at the first push, rewritten at the next.

import { MARK } from "./changes.mjs";

/** @typedef {{ id: number, body?: string, user?: { type?: string } }} Comment */

const MAX_PAGES = 20;
const TIMEOUT_MS = 30_000;

/**
 * Sends the comment. A token that may not write (pull requests of forks have none that may) is a warning and no failure.
 *
 * @param {string} body
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export async function sendComment(body, env) {
  const { INPUT_TOKEN: token, GITHUB_REPOSITORY: repository, INPUT_PULL_REQUEST: number } = env;
  const api = env.GITHUB_API_URL || "https://api.github.com";
  if (!token || !repository || !/^[\w.-]+\/[\w.-]+$/.test(repository) || !/^\d+$/.test(number ?? "")) {
    console.log("::notice::there is no pull request to comment on");
    return;
  }
  const comments = `${api}/repos/${repository}/issues/${number}/comments`;
  const earlier = await findComment(comments, token);
  const response =
    earlier === undefined
      ? await ask(comments, token, "POST", { body })
      : await ask(`${api}/repos/${repository}/issues/comments/${earlier}`, token, "PATCH", { body });
  if (!response.ok) console.log(`::warning::the comment was not written: HTTP ${response.status}`);
}

/**
 * @param {string} comments
 * @param {string} token
 * @returns {Promise<number | undefined>}
 */
async function findComment(comments, token) {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const response = await ask(`${comments}?per_page=100&page=${page}`, token, "GET");
    if (!response.ok) return undefined;
    const list = /** @type {readonly Comment[]} */ (await response.json());
    // Anybody can write the mark; only a comment of a bot is ours to rewrite.
    const found = list.find(({ body, user }) => user?.type === "Bot" && body?.startsWith(MARK));
    if (found !== undefined) return found.id;
    if (list.length < 100) return undefined;
  }
  return undefined;
}

/**
 * @param {string} url
 * @param {string} token
 * @param {string} method
 * @param {unknown} [body]
 */
function ask(url, token, method, body) {
  return fetch(url, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
