/** Rules for database clients: one statement that only selects. */

import { judgeSql } from "../languages/sql.ts";
import { type Reason, reason } from "../reason.ts";
import { type Argument, isLiteral } from "../values/argument.ts";
import { judgePath } from "../values/paths.ts";
import { readOptions } from "./options.ts";
import { asksVersion, type Judge } from "./rule.ts";

function statement(argument: Argument): readonly Reason[] {
  return isLiteral(argument)
    ? judgeSql(argument.text)
    : reason("database", "only the run decides which statement is sent");
}

const DOTS =
  /^\.(tables|schema|indexes|indices|databases|mode \w+|headers (on|off)|width [\d ]+|help|show|dbinfo|fullschema)( [\w%*.]+)?$/;

const sqlite: Judge = (call) => {
  if (asksVersion(call)) return [];
  const { options, operands } = readOptions(call.args, {
    singleDash: true,
    long: ["-separator", "-nullvalue", "-newline", "-cmd", "-init", "-vfs"],
  });
  const bad = options.find(
    ({ name }) =>
      !/^--?(header|headers|noheader|csv|json|line|list|column|box|table|markdown|html|tabs|quote|ascii|readonly|batch|bail|safe|separator|nullvalue|newline)$/.test(
        name,
      ),
  );
  if (bad !== undefined) return reason("dangerous-option", `\`sqlite3 ${bad.name}\` is not allowed`);
  const [database, ...statements] = operands;
  if (database === undefined || statements.length === 0)
    return reason("interpreter-input", "`sqlite3` runs what it reads");
  return [
    ...judgePath(database, "read", call.context.folder.current),
    ...statements.flatMap((each) =>
      each.text.startsWith(".")
        ? DOTS.test(each.text)
          ? []
          : reason("database", "a command of `sqlite3` does more than show")
        : statement(each),
    ),
  ];
};

/** Clients of servers: `-c` or `-e` gives the statement. */
const client =
  (flags: RegExp, allowed: RegExp): Judge =>
  (call) => {
    if (asksVersion(call)) return [];
    const { options } = readOptions(call.args, {
      short: "ceUhpPdD",
      long: ["--command", "--execute", "--host", "--port", "--username", "--user", "--dbname", "--database"],
    });
    const statements = options.filter(({ name }) => flags.test(name)).map(({ value }) => value);
    if (
      call.name === "psql" &&
      call.args.length === 1 &&
      (call.args[0]?.text === "-l" || call.args[0]?.text === "--list")
    )
      return [];
    const bad = options.find(({ name }) => !flags.test(name) && !allowed.test(name));
    if (bad !== undefined) return reason("dangerous-option", `\`${call.name} ${bad.name}\` is not allowed`);
    if (statements.length === 0) return reason("interpreter-input", `\`${call.name}\` runs what it reads`);
    return statements.flatMap((each) => {
      if (each === undefined) return reason("database", "a statement is missing");
      if (/^\\(dt?|d\+|l|du|dn|df|di|dv|conninfo)( [\w."]+)?$/.test(each.text)) return [];
      return statement(each);
    });
  };

/** Judges of database clients by name. */
export const databasePrograms: Readonly<Record<string, Judge>> = {
  sqlite3: sqlite,
  psql: client(
    /^(-c|--command)$/,
    /^(-U|-h|-p|-d|-t|-A|-x|-q|-w|-X|--host|--port|--username|--dbname|--csv|--no-psqlrc|--tuples-only|--no-align)$/,
  ),
  mysql: client(
    /^(-e|--execute)$/,
    /^(-u|-h|-P|-D|-N|-B|-t|--host|--port|--user|--database|--table|--batch)$/,
  ),
  mariadb: client(/^(-e|--execute)$/, /^(-u|-h|-P|-D|-N|-B|-t|--host|--port|--user|--database)$/),
  "redis-cli": (call) =>
    /^(ping|info|dbsize|get|keys|scan|ttl|type|exists|llen|lrange|hgetall|hget|smembers|scard|zrange|time|strlen)$/i.test(
      call.args[0]?.text ?? "",
    ) && call.args.every(isLiteral)
      ? []
      : reason("database", "`redis-cli` does more than read"),
};
