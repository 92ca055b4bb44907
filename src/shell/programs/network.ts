/** Rules for programs that use the network: named public hosts may be read from, nothing may be sent. */

import type { Call } from "../context.ts";
import { type Reason, reason } from "../reason.ts";
import { type Argument, isLiteral, shown } from "../values/argument.ts";
import { judgePath } from "../values/paths.ts";
import { hasOption, isOption, type Option, readOptions } from "./options.ts";
import { byRule, deniedOptions, type Judge, type Rule, refuse } from "./rule.ts";

/** Services that take what anybody sends them and show it to somebody else. */
const DROPS =
  /(^|\.)(webhook\.site|requestbin\.(com|net)|pipedream\.net|pastebin\.com|paste\.ee|hastebin\.com|transfer\.sh|file\.io|0x0\.st|ngrok(-free)?\.(io|app|dev)|burpcollaborator\.net|oastify\.com|oast\.(pro|live|site|online|fun|me)|interact\.sh|interactsh\.com|dnslog\.cn|beeceptor\.com|requestcatcher\.com|canarytokens\.(com|org)|ix\.io|termbin\.com|bashupload\.com|gofile\.io|anonfiles\.com|onion|serveo\.net|trycloudflare\.com|loca\.lt|dnsbin\.\w+)$/;
/** Names that write-ups use for the attacker: nobody's service is lost. */
const ATTACKERS =
  /(^|[.-])(evil|attacker|malicious|malware|hacker|exfil|c2|phish(ing)?|badguy|backdoor)([.\d-]|$)|(^|\.)(evil|attacker|malicious|hacker|badactor)[\w-]*\./;

/** Hosts of this machine. */
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0|host\.docker\.internal)$/;
/** Ports of this machine that control it. */
const CONTROL_PORTS = new Set([
  "22",
  "25",
  "2375",
  "2376",
  "2377",
  "2379",
  "4243",
  "6379",
  "6443",
  "10250",
  "10255",
  "11211",
]);

/** Reasons against reading from this address. */
export function judgeUrl(argument: Argument): readonly Reason[] {
  const { text } = argument;
  if (!isLiteral(argument)) {
    const known = argument.origins.every((origin) => origin === "harmless");
    if (!known) return reason("exfiltration", `\`${shown(text)}\` sends what only the run knows`);
  }
  const plain = text.replaceAll("\uE000", "0").replaceAll(/[\uE001-\uE003]/g, "x");
  const match =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?(?:([^/@]*)@)?(\[[0-9a-fA-F:.]+\]|[^/:?#]+)(?::(\d+))?([/?#].*)?$/i.exec(
      plain,
    );
  if (match === null) return reason("network", `\`${shown(text)}\` is no address`);
  const [, scheme = "http", credentials, host = "", port = "80", path = ""] = match;
  if (!/^https?$/i.test(scheme)) return reason("network", `addresses of \`${scheme}\` are not allowed`);
  if (credentials !== undefined) return reason("exfiltration", "an address holds credentials");
  if (/\/(dns-query|resolve)\b/.test(path))
    return reason("exfiltration", "an address asks for names, which carry text");
  if (SECRET_TEXT.test(path)) return reason("exfiltration", "an address holds what looks like a secret");
  return judgeHost(host.toLowerCase().replace(/\.$/, ""), port);
}

/** Reasons against this host. */
export function judgeHost(host: string, port = "80"): readonly Reason[] {
  if (LOCAL.test(host)) {
    return CONTROL_PORTS.has(port)
      ? reason("private-address", `port ${port} of this machine controls it`)
      : [];
  }
  if (/^\[|^[0-9.]+$|^0x|^\d+$|(^|\.)0x|^[0-9a-f]*:/.test(host)) {
    return publicAddress(host) ? [] : reason("private-address", `\`${shown(host)}\` is no public name`);
  }
  if (
    !host.includes(".") ||
    /\.(internal|local|lan|intranet|corp|home|localdomain|arpa|svc|cluster)$/.test(host)
  ) {
    return reason("private-address", `\`${shown(host)}\` is a name of a private network`);
  }
  if (/\.(nip|sslip|xip)\.io$|(^|\.)localtest\.me$|(^|\.)lvh\.me$/.test(host))
    return reason("private-address", `\`${shown(host)}\` resolves to any address`);
  if (DROPS.test(host) || ATTACKERS.test(host))
    return reason("exfiltration", `\`${shown(host)}\` collects what others send`);
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host) || host.split(".").some((label) => label.length > 40)) {
    return reason("network", `\`${shown(host)}\` is no ordinary host name`);
  }
  return [];
}

function publicAddress(host: string): boolean {
  const parts = host.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return false;
  const [a = 0, b = 0] = parts.map(Number);
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if ((a === 100 && b >= 64 && b < 128) || (a === 169 && b === 254) || (a === 172 && b >= 16 && b < 32))
    return false;
  // Only resolvers that everybody knows; other numbers hide who is asked.
  return ["8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9"].includes(host) && !(a === 192 && b === 168);
}

const SECRET_TEXT =
  /AKIA[0-9A-Z]{12,}|ghp_\w{20,}|sk-\w{20,}|xox[abp]-|-----BEGIN|password=|passwd=|secret=|ssn=|\b\d{3}-\d{2}-\d{4}\b|AWS_|api_?key=|token=|\/etc\/(passwd|shadow)|\.ssh\/|id_rsa/i;

/** Extensions of files that are run once they are here. */
const CODE_FILES =
  /\.(sh|bash|py|pl|rb|js|mjs|ps1|exe|bin|run|elf|so|dll|deb|rpm|msi|jar|bat|cmd|com|apk|appimage|whl|egg|gem|php|pth)$/i;

function downloadReasons(
  call: Call,
  target: Argument | undefined,
  url: Argument | undefined,
): readonly Reason[] {
  const name = target?.text ?? url?.text.replace(/[?#].*$/, "") ?? "";
  return [
    ...(target === undefined ? [] : judgePath(target, "write", call.context.folder.current)),
    ...(CODE_FILES.test(name) || (url !== undefined && CODE_FILES.test(url.text.replace(/[?#].*$/, "")))
      ? reason("network", `\`${shown(name)}\` is code from elsewhere`)
      : []),
    ...(target?.text.startsWith("/tmp/") && !/\.\w+$/.test(target.text)
      ? reason("network", `\`${shown(name)}\` may be code from elsewhere`)
      : []),
  ];
}

const curlRule: Rule = {
  short: "AbcCdDeEFHKmoPQrtTuUwxXyYz",
  flags: ["--head", "--retry-connrefused", "--proto-default", "--get", "--location", "--fail", "--silent"],
  long: [
    "--url",
    "--output",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-urlencode",
    "--data-ascii",
    "--json",
    "--form",
    "--form-string",
    "--header",
    "--user-agent",
    "--user",
    "--request",
    "--max-time",
    "--connect-timeout",
    "--retry",
    "--retry-delay",
    "--write-out",
    "--cookie",
    "--cookie-jar",
    "--referer",
    "--proxy",
    "--upload-file",
    "--config",
    "--output-dir",
    "--range",
    "--cacert",
    "--cert",
    "--key",
    "--resolve",
    "--connect-to",
    "--unix-socket",
    "--dump-header",
    "--max-redirs",
    "--limit-rate",
    "--max-filesize",
    "--interface",
    "--proto",
    "--trace",
    "--trace-ascii",
    "--stderr",
    "--netrc-file",
    "--next",
    "--abstract-unix-socket",
    "--preproxy",
    "--socks5",
    "--doh-url",
    "--dns-servers",
    "--engine",
    "--oauth2-bearer",
    "--libcurl",
    "--quote",
    "--mail-from",
    "--mail-rcpt",
    "--telnet-option",
  ],
  deny: {
    exfiltration: [
      "-F",
      "--form",
      "--form-string",
      "-T",
      "--upload-file",
      "-u",
      "--user",
      "--oauth2-bearer",
      "-n",
      "--netrc",
      "--netrc-file",
      "--netrc-optional",
      "-E",
      "--cert",
      "--key",
      "--mail-from",
      "--mail-rcpt",
      "--delegation",
      "--aws-sigv4",
    ],
    "dangerous-option": [
      "-K",
      "--config",
      "-x",
      "--proxy",
      "--preproxy",
      "--socks5",
      "--socks4",
      "--unix-socket",
      "--abstract-unix-socket",
      "--resolve",
      "--connect-to",
      "--interface",
      "--doh-url",
      "--dns-servers",
      "--engine",
      "--libcurl",
      "-Q",
      "--quote",
      "-t",
      "--telnet-option",
      "-P",
      "--ftp-port",
      "-k",
      "--insecure",
      "--proxy-header",
      "--proto",
      "--cacert",
      "--capath",
    ],
  },
};

const curl: Judge = (call) => {
  const { options, operands } = readOptions(call.args, curlRule);
  const refused = deniedOptions(call.name, options, curlRule);
  if (refused.length > 0) return refused;
  const value = (...names: readonly string[]) =>
    options.filter((option) => names.some((name) => isOption(option, name))).map((option) => option.value);
  const urls = [...operands, ...value("--url").flatMap((each) => (each === undefined ? [] : [each]))];
  if (urls.length === 0)
    return asksOnly(options) ? [] : reason("network", "`curl` gets its address from somewhere else");
  const bodies = value(
    "-d",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-urlencode",
    "--data-ascii",
    "--json",
  );
  const method = value("-X", "--request")[0]?.text.toUpperCase() ?? (bodies.length > 0 ? "POST" : "GET");
  const local = urls.every((url) => /^(https?:\/\/)?(localhost|127\.0\.0\.1)(:\d+)?([/?]|$)/.test(url.text));
  const target = value("-o", "--output")[0];
  const saved = target ?? undefined;
  return [
    ...urls.flatMap(judgeUrl),
    ...options.flatMap(fileReasons),
    ...(local || ["GET", "HEAD", "OPTIONS"].includes(method) ? [] : sent(method, urls)),
    ...bodies.flatMap((body) => (body === undefined ? [] : bodyReasons(body, local))),
    ...value("-H", "--header", "-A", "--user-agent", "-b", "--cookie", "-e", "--referer").flatMap((text) =>
      text === undefined ? [] : headerReasons(text),
    ),
    ...value(
      "-c",
      "--cookie-jar",
      "-D",
      "--dump-header",
      "--trace",
      "--trace-ascii",
      "--stderr",
      "--output-dir",
    ).flatMap((path) => (path === undefined ? [] : judgePath(path, "write", call.context.folder.current))),
    ...(saved !== undefined && saved.text !== "/dev/null" ? downloadReasons(call, saved, urls[0]) : []),
    ...(hasOption(options, "-O", "--remote-name") ? downloadReasons(call, undefined, urls[0]) : []),
    ...(hasOption(options, "-J", "--remote-header-name")
      ? reason("dangerous-option", "the server would name the file")
      : []),
  ];
};

function asksOnly(options: readonly Option[]): boolean {
  return options.length > 0 && options.every(({ name }) => /^(-V|--version|-h|--help|--manual)$/.test(name));
}

/** Hosts that collect results are named by the operator; here only constant text goes out, and only by POST, PUT or PATCH. */
function sent(method: string, urls: readonly Argument[]): readonly Reason[] {
  if (["POST", "PUT", "PATCH"].includes(method) && urls.every(({ text }) => /^https:\/\/api\./.test(text)))
    return [];
  return reason("exfiltration", `\`${shown(method)}\` sends data to \`${shown(urls[0]?.text ?? "")}\``);
}

function bodyReasons(body: Argument, local: boolean): readonly Reason[] {
  if (
    body.text.startsWith("@") ||
    (/(^|=)@|^[^=]*@\//.test(body.text.slice(0, 80)) && !body.text.startsWith("{"))
  )
    return reason("exfiltration", "the content of a file would be sent");
  if (!isLiteral(body)) return reason("exfiltration", "a request sends what only the run knows");
  return !local && SECRET_TEXT.test(body.text)
    ? reason("exfiltration", "a request sends what looks like a secret")
    : [];
}

/** A cookie without `=`, a format with `@` and a named value with `@` come from a file. */
function fileReasons(option: Option): readonly Reason[] {
  const text = option.value?.text ?? "";
  const fromFile =
    (isOption(option, "-b") || isOption(option, "--cookie") ? !text.includes("=") : false) ||
    ((isOption(option, "-w") || isOption(option, "--write-out")) && text.startsWith("@")) ||
    (isOption(option, "--data-urlencode") && /^[^=]*@/.test(text));
  return fromFile ? reason("exfiltration", "the content of a file would be sent or shown") : [];
}

function headerReasons(header: Argument): readonly Reason[] {
  if (header.text.startsWith("@")) return reason("exfiltration", "the content of a file would be sent");
  if (!isLiteral(header)) return reason("exfiltration", "a header sends what only the run knows");
  return /^(metadata(-flavor)?|x-aws-ec2-metadata|x-forwarded-host|host)\s*:/i.test(header.text)
    ? reason("private-address", "a header asks for metadata of the machine")
    : [];
}

const wgetRule: Rule = {
  short: "OoPaieUTtQlADRXIBw",
  long: [
    "--output-document",
    "--directory-prefix",
    "--output-file",
    "--header",
    "--post-data",
    "--post-file",
    "--body-data",
    "--body-file",
    "--method",
    "--user-agent",
    "--timeout",
    "--tries",
    "--input-file",
    "--execute",
    "--level",
    "--user",
    "--password",
    "--load-cookies",
    "--save-cookies",
    "--config",
    "--use-askpass",
    "--referer",
    "--accept",
    "--reject",
    "--base",
    "--domains",
    "--wait",
    "--limit-rate",
    "--quota",
  ],
  deny: {
    exfiltration: [
      "--post-data",
      "--post-file",
      "--body-data",
      "--body-file",
      "--method",
      "--user",
      "--password",
      "--load-cookies",
      "--http-user",
      "--http-password",
      "--certificate",
      "--private-key",
    ],
    "dangerous-option": [
      "-i",
      "--input-file",
      "-e",
      "--execute",
      "--config",
      "--use-askpass",
      "--no-check-certificate",
      "--content-disposition",
      "-B",
      "--base",
      "--warc-file",
      "--ca-certificate",
    ],
    unbounded: ["-r", "--recursive", "-m", "--mirror", "-b", "--background"],
  },
};

const wget: Judge = (call) => {
  const { options, operands } = readOptions(call.args, wgetRule);
  const refused = deniedOptions(call.name, options, wgetRule);
  if (refused.length > 0) return refused;
  const named = (...names: readonly string[]) =>
    options.find((option) => names.some((name) => isOption(option, name)))?.value;
  const document = named("-O", "--output-document");
  const quiet = hasOption(options, "--spider") || document?.text === "-" || document?.text === "/dev/null";
  // Clusters such as `-qO-` hold their value.
  return [
    ...operands.flatMap(judgeUrl),
    ...(operands.length === 0 && !asksOnly(options)
      ? reason("network", "`wget` gets its address from somewhere else")
      : []),
    ...[
      named("-P", "--directory-prefix"),
      named("-o", "--output-file"),
      named("-a"),
      named("--save-cookies"),
    ].flatMap((path) => (path === undefined ? [] : judgePath(path, "write", call.context.folder.current))),
    ...[named("--header"), named("-U", "--user-agent"), named("--referer")].flatMap((text) =>
      text === undefined ? [] : headerReasons(text),
    ),
    ...(quiet ? [] : downloadReasons(call, document, operands[0])),
  ];
};

/** Programs that look a name up. */
const lookup: Judge = (call) => {
  if (call.args.some(({ text }) => text.startsWith("@") || text === "-f" || text === "-k" || text === "-y"))
    return reason("network", `\`${call.name}\` asks a server of the command's choice`);
  const { operands } = readOptions(call.args, { short: "cWistpIwmqfQT" });
  if (call.name === "ping" && call.args.some(({ text }) => /^-[a-zA-Z]*[fp]/.test(text)))
    return reason("dangerous-option", "`ping` floods or carries data");
  return operands.flatMap((each) => {
    if (!isLiteral(each)) return reason("exfiltration", `\`${call.name}\` looks up what only the run knows`);
    if (/^\+|^(A|AAAA|MX|TXT|NS|CNAME|SOA|ANY|PTR|SRV|CAA|IN)$/i.test(each.text)) return [];
    return judgeHost(each.text.toLowerCase());
  });
};

const netcat: Judge = (call) => {
  const { options, operands } = readOptions(call.args, { short: "wpsiecgGxXqTOIoWP" });
  const scans = hasOption(options, "-z") && !hasOption(options, "-l", "-e", "-c", "-x");
  if (!scans) return reason("network", `\`${call.name}\` opens a connection`);
  return operands
    .slice(0, 1)
    .flatMap((host) =>
      isLiteral(host)
        ? LOCAL.test(host.text)
          ? []
          : judgeHost(host.text.toLowerCase())
        : reason("exfiltration", "only the run decides whom to connect to"),
    );
};

const httpie: Judge = (call) => {
  const [first, second, ...rest] = call.args.filter(({ text }) => !text.startsWith("-"));
  const method = /^[A-Z]+$/.test(first?.text ?? "") ? first?.text : undefined;
  const url = method === undefined ? first : second;
  const items = method === undefined ? (second === undefined ? rest : [second, ...rest]) : rest;
  if (
    call.input.kind !== "none" ||
    items.length > 0 ||
    (method !== undefined && method !== "GET" && method !== "HEAD")
  )
    return reason("exfiltration", `\`${call.name}\` sends data`);
  return url === undefined ? [] : judgeUrl(url);
};

const REMOTE = "reaches another machine";

/** Judges of network programs by name. */
export const networkPrograms: Readonly<Record<string, Judge>> = {
  curl,
  wget,
  http: httpie,
  https: httpie,
  xh: httpie,
  dig: lookup,
  nslookup: lookup,
  host: lookup,
  ping: lookup,
  ping6: lookup,
  traceroute: lookup,
  tracepath: lookup,
  mtr: lookup,
  whois: lookup,
  nc: netcat,
  ncat: netcat,
  netcat,
  ...Object.fromEntries(
    "ssh|scp|sftp|ftp|telnet|socat|rclone|gsutil|mail|mailx|mutt|sendmail|finger|ngrok|cloudflared|twine|rsh|rlogin|lftp|tftp|nmap|openvpn|aria2c|lynx|w3m|links|fetch"
      .split("|")
      .map((name): [string, Judge] => [name, refuse("network", REMOTE)]),
  ),
  ssh: (call) =>
    call.args.length === 1 && call.args[0]?.text === "-V" ? [] : refuse("network", REMOTE)(call),
  "ssh-keygen": (call) =>
    call.args.some(({ text }) => text === "-l" || text === "-lf") &&
    !call.args.some(({ text }) => /^-[DwIsYN]/.test(text))
      ? byRule({ short: "fE", text: ["-E"] })(call)
      : reason("privilege", "`ssh-keygen` makes or uses keys"),
};
