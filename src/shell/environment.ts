/** Judgment of assignments to variables that change how programs find, load or start others. */

import { type Reason, reason } from "./reason.ts";
import { type Argument, isLiteral } from "./values/argument.ts";

const DANGEROUS =
  /^(LD_.*|DYLD_.*|PATH|.*PATH|IFS|ENV|BASH_.*|BASHOPTS|SHELLOPTS|SHELL|PS[0-4]|PROMPT_COMMAND|HOME|USERPROFILE|XDG_.*|HIST.*|.*PAGER|.*EDITOR|VISUAL|BROWSER|LESS.*|MORE|MAN.*|GIT_.*|SSH_.*|SUDO_.*|.*_ASKPASS|.*_COMMAND|.*PROXY|.*_proxy|SSL_.*|CURL_.*|REQUESTS_.*|OPENSSL_.*|.*_OPTIONS|.*_OPTS|.*OPTS|.*OPT|.*_FLAGS|.*FLAGS|NODE_(OPTIONS|PATH|EXTRA_CA_CERTS|TLS_.*)|PYTHON.*|PERL.*|RUBY.*|RUBYLIB|GEM_.*|JAVA_.*|_JAVA_.*|JDK_.*|CLASSPATH|npm_.*|NPM_.*|YARN_.*|PIP_.*|CARGO_.*|RUST.*|GO(PATH|ROOT|FLAGS|PROXY|SUMDB|NOSUMDB|PRIVATE|BIN)|CC|CXX|LD|AR|MAKE.*|TAR_.*|GREP_.*|GZIP|ZIPOPT|UNZIP|XZ_.*|ZSTD_.*|RIPGREP_.*|FZF_.*|BAT_.*|JQ_.*|AWK.*|TERM(INFO.*|CAP)|GCONV_.*|LOC(PATH|ALE_ARCHIVE)|NLSPATH|MALLOC_.*|HOSTALIASES|RES_.*|LOCALDOMAIN|RSYNC_.*|CVS_.*|SVN_.*|HG.*|DOCKER_.*|KUBE.*|AWS_.*|GOOGLE_.*|CLOUDSDK_.*|AZURE_.*|PG(SERVICE|PASSFILE|SYSCONF).*|MYSQL_.*|ODBC.*|TMPDIR|TMP|TEMP|CDPATH|GLOBIGNORE|FIGNORE|EXECIGNORE|FPATH|ZDOTDIR|INPUTRC|MAIL.*|FCEDIT|POSIXLY_CORRECT|VIM.*|EXINIT|EMACS.*)$/;

const AUTHORS = /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$/;

/** Reasons against this assignment before this program. */
export function environmentReasons(
  name: string,
  value: Argument,
  program: string | undefined,
): readonly Reason[] {
  if (!DANGEROUS.test(name) || AUTHORS.test(name)) return [];
  if (name === "IFS" && (program === "read" || program === "mapfile")) return [];
  if (/PAGER$/.test(name) && isLiteral(value) && (value.text === "cat" || value.text === "")) return [];
  return reason("environment", `\`${name}\` changes how programs find, load or start others`);
}
