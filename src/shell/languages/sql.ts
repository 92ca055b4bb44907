/** Reader of SQL on a command line: one statement that only selects. */

import { type Reason, reason } from "../reason.ts";

const REFUSED =
  /\b(insert|update|delete|drop|alter|create|replace|truncate|grant|revoke|attach|detach|vacuum|reindex|copy|call|do|execute|prepare|load|load_extension|load_file|writefile|readfile|edit|into|outfile|dumpfile|program|pg_read_file|pg_read_binary_file|pg_ls_dir|lo_import|lo_export|pg_sleep|sleep|benchmark|dblink|set|lock|fts3_tokenizer|shell|system|source)\b/i;
const SECRET =
  /\b(password|passwd|password_hash|ssn|social_security\w*|credit_card\w*|cvv|secret|api_key|token|cookies?|moz_cookies|pg_shadow|pg_authid|auth_users|admin_users)\b/i;

/** Reasons against a statement. */
export function judgeSql(text: string): readonly Reason[] {
  const plain = text
    .replace(/'(?:[^']|'')*'/g, "''")
    .trim()
    .replace(/;\s*$/, "");
  if (!/^(select|explain|with|pragma\s+table_info|show|describe|values)\b/i.test(plain)) {
    return reason("database", "a statement does more than select");
  }
  if (plain.includes(";") || /--|\/\*|\\/.test(plain))
    return reason("database", "more than one statement, or a comment");
  if (REFUSED.test(plain)) return reason("database", "a statement does more than select");
  return SECRET.test(plain) ? reason("reads-secret", "a statement selects secrets or personal data") : [];
}
