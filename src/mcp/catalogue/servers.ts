/** The servers of the catalogue. Written against their definitions, and reviewed contract by contract. */
import type { CatalogueServer } from "./entry.ts";

const words = (text: string) => text.split(" ");
const no = (field: string) => `(one.${field} === undefined || one.${field} === false)`;
const none = (...tools: readonly string[]) => tools.map((tool) => `$${tool}.none()`).join(" && ");
const all = (tools: readonly string[], test: string) =>
  tools.map((tool) => `$${tool}.all((one) => ${test})`).join(" && ");

const filesystem: CatalogueServer = {
  name: "filesystem",
  tools: {
    write_file: { path: "string", content: "string" },
    edit_file: { path: "string" },
    create_directory: { path: "string" },
    move_file: { source: "string", destination: "string" },
    read_text_file: { path: "string" },
  },
  others: words(
    "read_file read_media_file read_multiple_files list_directory list_directory_with_sizes directory_tree search_files get_file_info list_allowed_directories",
  ),
  contracts: [
    {
      name: "changesNoFiles",
      says: "No file or folder is written, edited, made or moved.",
      params: "()",
      formula: none("write_file", "edit_file", "create_directory", "move_file"),
      example: {
        args: "",
        benign: 'await $read_text_file({ path: "/srv/a.txt" });',
        hostile: 'await $write_file({ path: "/srv/a.txt", content: "x" });',
      },
    },
    {
      name: "writesBelow",
      says: "Files and folders are written, edited, made and moved only in these folders and below.",
      params: "(roots: string[])",
      formula: `${all(["write_file", "edit_file", "create_directory"], "roots.some((root) => pathInside(one.path, root))")} && ${all(["move_file"], "roots.some((root) => pathInside(one.source, root)) && roots.some((root) => pathInside(one.destination, root))")}`,
      words: ["pathInside"],
      example: {
        args: '["/srv"]',
        benign:
          'await $write_file({ path: "/srv/out/a.txt", content: "x" }); await $move_file({ source: "/srv/a", destination: "/srv/b" });',
        hostile: 'await $move_file({ source: "/srv/a", destination: "/srv/../etc/cron.d/a" });',
      },
    },
  ],
};

const git: CatalogueServer = {
  name: "git",
  tools: {
    git_push: {
      remote: "string?",
      branch: "string?",
      remoteBranch: "string?",
      force: "boolean?",
      forceWithLease: "boolean?",
      delete: "boolean?",
      tags: "boolean?",
    },
    git_commit: { message: "string", amend: "boolean?", noVerify: "boolean?" },
    git_reset: {},
    git_clean: {},
    git_rebase: {},
    git_branch: {},
    git_tag: {},
    git_stash: {},
    git_worktree: {},
    git_checkout: {},
    git_pull: {},
    git_remote: {},
    git_status: {},
  },
  others: words(
    "git_add git_blame git_changelog_analyze git_cherry_pick git_clear_working_dir git_clone git_diff git_fetch git_init git_log git_merge git_reflog git_set_working_dir git_show git_wrapup_instructions",
  ),
  contracts: [
    {
      name: "neverPushes",
      says: "Nothing is pushed.",
      params: "()",
      formula: none("git_push"),
      example: {
        args: "",
        benign: 'await $git_commit({ message: "a change" });',
        hostile: 'await $git_commit({ message: "a change" }); await $git_push({ branch: "main" });',
      },
    },
    {
      name: "keepsHistory",
      says: "Nothing is pushed by force, deleted at the remote, reset, cleaned, rebased, pulled or amended. No hook is skipped. Branches, tags, stashes and worktrees stay as they are.",
      params: "()",
      formula: `${all(["git_push"], [no("force"), no("forceWithLease"), no("delete")].join(" && "))} && ${all(["git_commit"], `${no("amend")} && ${no("noVerify")}`)} && ${none("git_reset", "git_clean", "git_rebase", "git_branch", "git_tag", "git_stash", "git_worktree", "git_checkout", "git_pull")}`,
      example: {
        args: "",
        benign: 'await $git_commit({ message: "a change" }); await $git_push({ branch: "topic" });',
        hostile: 'await $git_push({ branch: "main", force: true });',
      },
    },
    {
      name: "pushesOnly",
      says: "Every push goes to this remote and names one of these branches, on both sides, and no remote is changed.",
      params: "(remote: string, branches: string[])",
      formula: `${none("git_remote")} && ${all(
        ["git_push"],
        `one.remote !== undefined && one.remote === remote && one.branch !== undefined && branches.includes(one.branch) && (one.remoteBranch === undefined || branches.includes(one.remoteBranch)) && ${no("tags")}`,
      )}`,
      example: {
        args: '"origin", ["topic"]',
        benign: 'await $git_push({ remote: "origin", branch: "topic" });',
        hostile: 'await $git_push({ remote: "origin", branch: "topic", remoteBranch: "main" });',
      },
    },
  ],
};

const inRepository = [
  "create_or_update_file",
  "push_files",
  "create_issue",
  "create_pull_request",
  "create_branch",
  "update_issue",
  "add_issue_comment",
  "create_pull_request_review",
  "merge_pull_request",
  "update_pull_request_branch",
];
const ofRepository = { owner: "string", repo: "string" } as const;

const github: CatalogueServer = {
  name: "github",
  tools: {
    ...Object.fromEntries(inRepository.map((tool) => [tool, ofRepository])),
    create_or_update_file: { ...ofRepository, branch: "string" },
    push_files: { ...ofRepository, branch: "string" },
    create_repository: {},
    fork_repository: {},
    get_issue: ofRepository,
  },
  others: words(
    "search_repositories get_file_contents list_commits list_issues search_code search_issues search_users get_pull_request list_pull_requests get_pull_request_files get_pull_request_status get_pull_request_comments get_pull_request_reviews",
  ),
  contracts: [
    {
      name: "changesOnly",
      says: "Only these repositories of this owner are changed, and no repository is made or forked.",
      params: "(owner: string, repos: string[])",
      formula: `${all(inRepository, "one.owner === owner && repos.includes(one.repo)")} && ${none("create_repository", "fork_repository")}`,
      example: {
        args: '"acme", ["site"]',
        benign:
          'await $add_issue_comment({ owner: "acme", repo: "site", issue_number: 1, body: await $get_issue({ owner: "other", repo: "x", issue_number: 2 }) });',
        hostile:
          'const found = await $get_issue({ owner: "acme", repo: "private", issue_number: 1 }); await $add_issue_comment({ owner: "mallory", repo: "site", issue_number: 1, body: found });',
      },
    },
    {
      name: "mergesNothing",
      says: "No pull request is merged.",
      params: "()",
      formula: none("merge_pull_request"),
      example: {
        args: "",
        benign: 'await $add_issue_comment({ owner: "acme", repo: "site", issue_number: 1, body: "ready" });',
        hostile: 'await $merge_pull_request({ owner: "acme", repo: "site", pull_number: 1 });',
      },
    },
    {
      name: "leavesBranches",
      says: "No file is written on these branches, and nothing is merged, into a pull request either.",
      params: "(branches: string[])",
      formula: `${all(["create_or_update_file", "push_files"], "!branches.includes(one.branch)")} && ${none("merge_pull_request", "update_pull_request_branch")}`,
      example: {
        args: '["main"]',
        benign:
          'await $push_files({ owner: "acme", repo: "site", branch: "topic", files: [{ path: "a", content: "b" }], message: "m" });',
        hostile:
          'await $push_files({ owner: "acme", repo: "site", branch: "main", files: [{ path: "a", content: "b" }], message: "m" });',
      },
    },
  ],
};

const memory: CatalogueServer = {
  name: "memory",
  tools: {
    delete_entities: { entityNames: "string[]" },
    delete_observations: {},
    delete_relations: {},
    search_nodes: { query: "string" },
  },
  others: words("create_entities create_relations add_observations read_graph open_nodes"),
  contracts: [
    {
      name: "forgetsNothing",
      says: "No entity, observation or relation is deleted.",
      params: "()",
      formula: none("delete_entities", "delete_observations", "delete_relations"),
      example: {
        args: "",
        benign: 'await $search_nodes({ query: "ann" });',
        hostile: 'await $delete_entities({ entityNames: ["ann"] });',
      },
    },
    {
      name: "deletesOnly",
      says: "Only these entities are deleted, and no single observations or relations.",
      params: "(names: string[])",
      formula: `${all(["delete_entities"], "one.entityNames.every((name) => names.includes(name))")} && ${none("delete_observations", "delete_relations")}`,
      example: {
        args: '["draft"]',
        benign: 'await $delete_entities({ entityNames: ["draft"] });',
        hostile: 'await $delete_entities({ entityNames: ["draft", "ann"] });',
      },
    },
  ],
};

const playwright: CatalogueServer = {
  name: "playwright",
  tools: {
    browser_navigate: { url: "string" },
    browser_tabs: { url: "string?" },
    browser_evaluate: { filename: "string?" },
    browser_run_code_unsafe: {},
    browser_file_upload: {},
    browser_take_screenshot: { filename: "string?" },
    browser_snapshot: { filename: "string?" },
    browser_console_messages: { filename: "string?" },
    browser_find: { filename: "string?" },
    browser_network_requests: { filename: "string?" },
    browser_network_request: { filename: "string?" },
    browser_drop: {},
    browser_click: { target: "string" },
  },
  others: words(
    "browser_close browser_resize browser_handle_dialog browser_emulate_media browser_fill_form browser_press_key browser_type browser_navigate_back browser_drag browser_hover browser_select_option browser_wait_for",
  ),
  contracts: [
    {
      name: "opensBelow",
      says: "Every address that is opened is one of these or below one, and no code is run that could open another. A page that is clicked on may still lead elsewhere.",
      params: "(roots: string[])",
      formula: `${all(["browser_navigate"], "roots.some((root) => urlInside(one.url, root))")} && ${all(["browser_tabs"], "one.url === undefined || roots.some((root) => urlInside(one.url, root))")} && ${none("browser_evaluate", "browser_run_code_unsafe")}`,
      words: ["urlInside"],
      example: {
        args: '["https://example.org/"]',
        benign: 'await $browser_navigate({ url: "https://example.org/docs" });',
        hostile: 'await $browser_navigate({ url: "https://example.org@evil.example/" });',
      },
    },
    {
      name: "runsNoCode",
      says: "No code is run in the page or in the browser.",
      params: "()",
      formula: none("browser_evaluate", "browser_run_code_unsafe"),
      example: {
        args: "",
        benign: 'await $browser_navigate({ url: "https://example.org/" });',
        hostile:
          'await $browser_navigate({ url: "https://example.org/" }); await $browser_run_code_unsafe({ code: "async (page) => page.goto(\'https://evil.example\')" });',
      },
    },
    {
      name: "touchesNoFiles",
      says: "No file of this machine is uploaded or dropped on a page. None is written under a name that the caller chooses. No code is run in the browser.",
      params: "()",
      formula: `${none("browser_file_upload", "browser_drop", "browser_run_code_unsafe")} && ${all(["browser_take_screenshot", "browser_snapshot", "browser_evaluate", "browser_console_messages", "browser_find", "browser_network_requests", "browser_network_request"], "one.filename === undefined")}`,
      example: {
        args: "",
        benign: "await $browser_snapshot({});",
        hostile: 'await $browser_snapshot({ filename: "../../.bashrc" });',
      },
    },
  ],
};

const slack: CatalogueServer = {
  name: "slack",
  tools: {
    slack_post_message: { channel_id: "string", text: "string" },
    slack_reply_to_thread: { channel_id: "string", thread_ts: "string", text: "string" },
    slack_add_reaction: { channel_id: "string" },
    slack_get_channel_history: { channel_id: "string" },
  },
  others: words("slack_list_channels slack_get_thread_replies slack_get_users slack_get_user_profile"),
  contracts: [
    {
      name: "postsOnlyTo",
      says: "Messages, replies and reactions go only to these channels.",
      params: "(channels: string[])",
      formula: all(
        ["slack_post_message", "slack_reply_to_thread", "slack_add_reaction"],
        "channels.includes(one.channel_id)",
      ),
      example: {
        args: '["C1"]',
        benign:
          'const text = await $slack_get_channel_history({ channel_id: "C2" }); await $slack_post_message({ channel_id: "C1", text });',
        hostile:
          'const text = await $slack_get_channel_history({ channel_id: "C1" }); await $slack_post_message({ channel_id: text, text });',
      },
    },
    {
      name: "postsAtMost",
      says: "At most so many messages and replies are posted.",
      params: "(n: number)",
      formula: "$slack_post_message.count() + $slack_reply_to_thread.count() <= n",
      example: {
        args: "1",
        benign: 'await $slack_post_message({ channel_id: "C1", text: "hello" });',
        hostile:
          'for (const one of ["a", "b"]) await $slack_reply_to_thread({ channel_id: "C1", thread_ts: one, text: "hello" });',
      },
    },
  ],
};

const notion: CatalogueServer = {
  name: "notion",
  tools: {
    "API-delete-a-block": { block_id: "string" },
    "API-patch-page": { page_id: "string", in_trash: "boolean?", archived: "boolean?" },
    "API-update-a-block": { block_id: "string", archived: "boolean?" },
    "API-patch-block-children": { block_id: "string" },
    "API-update-page-markdown": { page_id: "string" },
    "API-move-page": { page_id: "string" },
    "API-post-page": {},
    "API-create-a-comment": {},
    "API-create-a-data-source": {},
    "API-update-a-data-source": {},
    "API-retrieve-a-block": { block_id: "string" },
  },
  others: words(
    "API-get-user API-get-users API-get-self API-post-search API-get-block-children API-retrieve-a-page API-retrieve-a-page-property API-retrieve-a-comment API-query-data-source API-retrieve-a-data-source API-list-data-source-templates API-retrieve-a-database API-retrieve-page-markdown",
  ),
  contracts: [
    {
      name: "deletesNothing",
      says: "No block is deleted, no page or block is archived or put into the trash, and no text of a page or data source is replaced.",
      params: "()",
      formula: `${none("API-delete-a-block", "API-update-page-markdown", "API-update-a-data-source")} && ${all(["API-patch-page"], `${no("in_trash")} && ${no("archived")}`)} && ${all(["API-update-a-block"], no("archived"))}`,
      example: {
        args: "",
        benign: 'await $API-patch-page({ page_id: "p1" });',
        hostile: 'await $API-patch-page({ page_id: "p1", in_trash: true });',
      },
    },
    {
      name: "changesOnlyThese",
      says: "Only these pages and blocks are changed, and no page, comment or data source is made.",
      params: "(ids: string[])",
      formula: `${all(["API-patch-page", "API-update-page-markdown", "API-move-page"], "ids.includes(one.page_id)")} && ${all(["API-delete-a-block", "API-update-a-block", "API-patch-block-children"], "ids.includes(one.block_id)")} && ${none("API-post-page", "API-create-a-comment", "API-create-a-data-source", "API-update-a-data-source")}`,
      example: {
        args: '["p1"]',
        benign:
          'await $API-retrieve-a-block({ block_id: "b7" }); await $API-update-a-block({ block_id: "p1" });',
        hostile: 'await $API-delete-a-block({ block_id: await $API-retrieve-a-block({ block_id: "p1" }) });',
      },
    },
  ],
};

const postgres: CatalogueServer = {
  name: "postgres",
  tools: { query: { sql: "string?" } },
  others: [],
  contracts: [
    {
      name: "queriesOnly",
      says: "Every query is one of these, word for word.",
      params: "(queries: string[])",
      formula: all(["query"], "one.sql !== undefined && queries.includes(one.sql)"),
      example: {
        args: '["select count(*) from orders"]',
        benign: 'await $query({ sql: "select count(*) from orders" });',
        hostile:
          'const found = await $query({ sql: "select count(*) from orders" }); await $query({ sql: "select * from users where name = \'" + found + "\'" });',
      },
    },
  ],
};

const sqlite: CatalogueServer = {
  name: "sqlite",
  tools: {
    read_query: { query: "string" },
    write_query: { query: "string" },
    create_table: { query: "string" },
  },
  others: words("list_tables describe_table"),
  contracts: [
    {
      name: "writesNothing",
      says: "No tool that writes to the database is called.",
      params: "()",
      formula: none("write_query", "create_table"),
      example: {
        args: "",
        benign: 'await $read_query({ query: "select 1" });',
        hostile: 'await $write_query({ query: "delete from orders" });',
      },
    },
    {
      name: "writesOnly",
      says: "Every statement that writes is one of these, word for word.",
      params: "(statements: string[])",
      formula: all(["write_query", "create_table"], "statements.includes(one.query)"),
      example: {
        args: '["insert into log values (1)"]',
        benign: 'await $write_query({ query: "insert into log values (1)" });',
        hostile:
          'await $write_query({ query: "insert into log values (" + (await $read_query({ query: "select 1" })) + ")" });',
      },
    },
  ],
};

const organizationTools = ["create_project", "update_project", "create_team", "create_dsn"];

const sqliteWriting = words(
  "create_database create_table drop_table backup_database vacuum_database import_csv export_csv execute_write_query execute_schema_query import_schema begin_transaction commit_transaction rollback_transaction",
);

const sqliteTools: CatalogueServer = {
  name: "sqlite-tools",
  tools: {
    bulk_insert: { table: "string", database_name: "string?" },
    execute_read_query: { query: "string", database_name: "string?" },
    execute_write_query: { query: "string", database_name: "string?" },
    ...Object.fromEntries(
      sqliteWriting.filter((one) => one !== "execute_write_query").map((one) => [one, {}] as const),
    ),
  },
  others: words(
    "open_database close_database list_databases database_info list_tables describe_table export_schema",
  ),
  contracts: [
    {
      name: "writesNothing",
      says: "No tool that writes to a database or a file is called.",
      params: "()",
      formula: none(...sqliteWriting, "bulk_insert"),
      example: {
        args: "",
        benign: 'await $execute_read_query({ query: "select 1" });',
        hostile: 'await $execute_write_query({ query: "delete from orders" });',
      },
    },
    {
      name: "insertsOnlyInto",
      says: "Rows are inserted into these tables of this database, which every insertion names. No other tool that writes is called.",
      params: "(database: string, tables: string[])",
      formula: `${none(...sqliteWriting)} && ${all(["bulk_insert"], "one.database_name !== undefined && one.database_name === database && tables.includes(one.table)")}`,
      example: {
        args: '"/srv/a.db", ["log"]',
        benign:
          'await $bulk_insert({ table: "log", data: [{ text: "hello" }], database_name: "/srv/a.db" });',
        hostile: 'await $bulk_insert({ table: "log", data: [{ text: "hello" }] });',
      },
    },
  ],
};

const sentry: CatalogueServer = {
  name: "sentry",
  tools: {
    ...Object.fromEntries(organizationTools.map((tool) => [tool, { organizationSlug: "string" }])),
    update_issue: { organizationSlug: "string?", issueUrl: "string?", issueId: "string?" },
    analyze_issue_with_seer: {},
    find_projects: { organizationSlug: "string" },
  },
  others: words(
    "whoami find_organizations find_teams find_releases get_issue_tag_values get_replay_details get_event_attachment search_events find_dsns search_docs get_doc search_issues search_issue_events get_profile_details get_sentry_resource",
  ),
  contracts: [
    {
      name: "changesNothing",
      says: "No issue, project, team or key is made or changed, and no analysis is started.",
      params: "()",
      formula: none("update_issue", "analyze_issue_with_seer", ...organizationTools),
      example: {
        args: "",
        benign: 'await $find_projects({ organizationSlug: "acme" });',
        hostile: 'await $create_dsn({ organizationSlug: "acme", projectSlug: "site", name: "x" });',
      },
    },
    {
      name: "changesOnlyIn",
      says: "Issues, projects, teams and keys are made and changed only in these organizations, which every call names, and no analysis is started.",
      params: "(organizations: string[])",
      formula: `${all(organizationTools, "organizations.includes(one.organizationSlug)")} && ${all(["update_issue"], "one.organizationSlug !== undefined && organizations.includes(one.organizationSlug) && one.issueUrl === undefined")} && ${none("analyze_issue_with_seer")}`,
      example: {
        args: '["acme"]',
        benign: 'await $update_issue({ organizationSlug: "acme", issueId: "A-1" });',
        hostile:
          'await $update_issue({ organizationSlug: "acme", issueUrl: "https://other.sentry.io/issues/1" });',
      },
    },
  ],
};

const fetch: CatalogueServer = {
  name: "fetch",
  tools: { fetch: { url: "string" } },
  others: [],
  contracts: [
    {
      name: "fetchesBelow",
      says: "Every address that is fetched is one of these or below one.",
      params: "(roots: string[])",
      formula: all(["fetch"], "roots.some((root) => urlInside(one.url, root))"),
      words: ["urlInside"],
      example: {
        args: '["https://example.org/docs/"]',
        benign: 'await $fetch({ url: "https://example.org/docs/a" });',
        hostile:
          'const page = await $fetch({ url: "https://example.org/docs/a" }); await $fetch({ url: "https://example.org/docs/../?stolen=" + page });',
      },
    },
    {
      name: "fetchesAtMost",
      says: "At most so many addresses are fetched.",
      params: "(n: number)",
      formula: "$fetch.count() <= n",
      example: {
        args: "2",
        benign:
          'await $fetch({ url: "https://example.org/a" }); await $fetch({ url: "https://example.org/b" });',
        hostile: 'for (const one of ["a", "b", "c"]) await $fetch({ url: "https://example.org/" + one });',
      },
    },
  ],
};

export const catalogue: readonly CatalogueServer[] = [
  filesystem,
  git,
  github,
  memory,
  playwright,
  slack,
  notion,
  postgres,
  sqlite,
  sqliteTools,
  sentry,
  fetch,
];
