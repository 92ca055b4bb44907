/** Judgment of paths: which files a command may read, write and delete. */

import { type Reason, reason } from "../reason.ts";
import { type Argument, comesFrom, matcher, ONE, STAR, shown, UNKNOWN } from "./argument.ts";
import { ofSuperuser, type Place, resolve } from "./folder.ts";

/** Uses of a path: its content, its names and attributes only, everything below it, or a change. */
export type Use = "read" | "list" | "sweep" | "write" | "delete";

const NONE: readonly Reason[] = [];

/** Reasons against using this path. */
export function judgePath(argument: Argument, use: Use, from: Place): readonly Reason[] {
  const { text } = argument;
  if (text === "" || text === "-") return NONE;
  if (comesFrom(argument, "decoded")) {
    return reason("obfuscated", `the path \`${shown(text)}\` is decoded or computed while the command runs`);
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return reason("network", `\`${shown(text)}\` is an address`);
  const place = resolve(text, from);
  const secret = secretReason(place, text, use);
  if (secret.length > 0) return secret;
  switch (use) {
    case "read":
    case "list":
    case "sweep":
      return readReason(place, text, use);
    case "write":
      return writeReason(place, argument);
    case "delete":
      return deleteReason(place, argument);
  }
}

const SECRET_FOLDERS = new Set(
  ".ssh|.aws|.gnupg|.kube|.azure|.gcloud|gcloud|.password-store|.docker|keychains|.vault|.terraform.d|.oci|.config/gh|secrets|.mozilla|.thunderbird|google-chrome|chromium".split(
    "|",
  ),
);

const SECRET_FILES = [
  /^\.env(\.(?!(example|sample|template|dist|defaults|test|ci)$).*)?$/,
  /^\.envrc$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|ovpn|asc)$/,
  /^\.?(netrc|pgpass|git-credentials|npmrc|pypirc|htpasswd|vault-token|my\.cnf|s3cfg|boto|dockercfg)$/,
  /^g?shadow-?$/,
  /^(passwd|sudoers|master\.passwd)-?$/,
  /^(.*_)?credentials?(\.(json|ya?ml|toml|csv|txt|db|xml|ini))?$/,
  /^secrets?(\.(json|ya?ml|toml|txt|env|enc))?$/,
  /^\.?([a-z]+_)?history$/,
  /^wallet\.dat$/,
  /^(cookies|login data|logins\.json|cookies\.sqlite|key4\.db|signons\.sqlite|cookies\.binarycookies)$/,
  /\.tfstate(\.backup)?$/,
  /^service[-_]account.*\.json$/,
  /^authorized_keys$/,
  /^private[-_.]?key/,
  /^docker\.sock$/,
  /^kubeconfig$/,
  /^environ$/,
];

/** Names that a pattern is tried on. */
const SECRET_EXAMPLES =
  ".env|.env.local|.env.production|.envrc|id_rsa|id_ed25519|server.pem|server.key|.netrc|.pgpass|.git-credentials|.npmrc|.pypirc|shadow|passwd|sudoers|credentials|credentials.json|.bash_history|.zsh_history|.ssh|.aws|.gnupg|.kube|.docker|.bashrc|.zshrc|.profile|environ".split(
    "|",
  );

function isSecretName(name: string): boolean {
  const lower = name.toLowerCase();
  return SECRET_FOLDERS.has(lower) || SECRET_FILES.some((pattern) => pattern.test(lower));
}

function secretReason(place: Place, text: string, use: Use): readonly Reason[] {
  const { segments } = place;
  const last = segments.at(-1) ?? "";
  // A new `.env` is written from an example, and a list of names shows no content.
  const spared =
    (use === "write" && /^\.env(\.\w+)?$/.test(last)) || (use === "list" && place.base === "work");
  const hit = segments.some((segment, at) => {
    if (spared && at === segments.length - 1) return false;
    if (isSecretName(segment)) return true;
    return hasPattern(segment) && mayMatchSecret(segment, place, at);
  });
  if (!hit) return NONE;
  return reason("reads-secret", `\`${shown(text)}\` holds or may hold secrets`);
}

function hasPattern(segment: string): boolean {
  return segment.includes(STAR) || segment.includes(ONE);
}

/** True if a pattern may name a secret; `*` never names a hidden file, and in the working folder plain patterns are usual. */
function mayMatchSecret(segment: string, place: Place, at: number): boolean {
  const pattern = matcher(segment);
  return SECRET_EXAMPLES.some((name) => {
    if (!pattern.test(name)) return false;
    if (segment.startsWith(STAR) || segment.startsWith(ONE)) {
      if (name.startsWith(".")) return false;
      return place.base === "root" && place.segments[0] === "etc" && at > 0;
    }
    return true;
  });
}

const READABLE_ETC =
  /^(os-release|hosts|hostname|timezone|localtime|debian_version|lsb-release|issue|resolv\.conf|shells|services|protocols|mime\.types|redhat-release|alpine-release|nginx|apache2|fstab|locale\.gen|apt|nsswitch\.conf)$/;
const READABLE_PROC =
  /^(cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|vmstat|partitions|diskstats|swaps|net\/(dev|tcp|route))$/;
const READABLE_DEVICES = /^(null|stdin|stdout|stderr|tty|fd\/\d+)$/;
const ENDLESS_DEVICES = /^(zero|u?random|full)$/;
const SYSTEM_TOPS = new Set("etc|proc|sys|dev|root|boot|home|usr|var|bin|sbin|lib|lib64|run|opt".split("|"));

function readReason(place: Place, text: string, use: "read" | "list" | "sweep"): readonly Reason[] {
  const { base, up, segments } = place;
  const [first = "", second = ""] = segments;
  const system = reason(
    "reads-system",
    `\`${shown(text)}\` belongs to the system, not to the working folder`,
  );
  if (ofSuperuser(place)) return system;
  if (base === "home") {
    if (first.startsWith("."))
      return reason("reads-secret", `\`${shown(text)}\` is a hidden file of a home folder`);
    return use === "sweep" && segments.length === 0 ? sweeps(text) : NONE;
  }
  if (base === "work") {
    if (up > 2 || (up > 0 && SYSTEM_TOPS.has(first))) return system;
    return NONE;
  }
  if (base === "unknown") return NONE;
  if (use === "list" && !["proc", "root"].includes(first)) return NONE;
  if (
    segments.length === 0 ||
    (segments.length === 1 && (first === "home" || first === "Users" || hasPattern(first)))
  ) {
    return use === "list" ? NONE : sweeps(text);
  }
  switch (first) {
    case "etc":
      return READABLE_ETC.test(second) ? NONE : system;
    case "proc":
      return READABLE_PROC.test(segments.slice(1).join("/")) ? NONE : system;
    case "dev": {
      const device = segments.slice(1).join("/");
      if (ENDLESS_DEVICES.test(device)) return reason("unbounded", `\`${shown(text)}\` never ends`);
      if (/^(tcp|udp)(\/|$)/.test(device)) return reason("network", `\`${shown(text)}\` opens a connection`);
      return READABLE_DEVICES.test(device) ? NONE : system;
    }
    case "sys":
      return /^(class|fs|devices)$/.test(second) ? NONE : system;
    case "boot":
    case "run":
      return system;
    case "var":
      if (["lib", "spool", "run", "cache", "backups", "mail"].includes(second)) return system;
      return /^(auth\.log|secure|btmp|wtmp|faillog|lastlog|audit)/.test(segments[2] ?? "") ? system : NONE;
    default:
      return first.includes(UNKNOWN) || hasPattern(first) ? system : NONE;
  }
}

function sweeps(text: string): readonly Reason[] {
  return reason("reads-system", `\`${shown(text)}\` takes in the whole machine or home folder`);
}

const WRITABLE_TOPS = new Set(
  "tmp|app|data|workspace|workspaces|work|project|projects|repo|mnt|media|srv".split("|"),
);
const PERSISTENT =
  /^(\.(bash|zsh|k|c|tcsh|fish)?(rc|_profile|_login|_logout|profile)|\.profile|\.zshenv|\.(bash|zsh)rc|\.vimrc|\.exrc|\.emacs|\.inputrc|\.pam_environment|\.x(initrc|session|profile|resources)|\.gitconfig|\.npmrc|\.yarnrc(\.yml)?|\.pypirc|\.pythonrc|\.pythonstartup|\.envrc|\.curlrc|\.wgetrc|\.tmux\.conf|\.screenrc|\.mailcap|\.forward|\.rhosts|crontabs?|cron(\.\w+)?|sitecustomize\.py|usercustomize\.py|.*\.pth|.*\.(service|timer|desktop|plist)|autostart|systemd|launchagents|launchdaemons|init\.d|rc\.local|profile\.d|ld\.so\.preload|\.gdbinit|\.husky|\.git)$/i;

function writeReason(place: Place, argument: Argument): readonly Reason[] {
  const { base, up, segments } = place;
  const { text } = argument;
  const [first = "", second = ""] = segments;
  if (text.startsWith("-")) {
    return reason("wildcard-injection", `a file named \`${shown(text)}\` would be read as an option later`);
  }
  const last = segments.at(-1) ?? "";
  if (last.startsWith("-")) {
    return reason("wildcard-injection", `a file named \`${shown(last)}\` would be read as an option later`);
  }
  if (segments.some((segment) => PERSISTENT.test(segment))) {
    return reason("persistence", `\`${shown(text)}\` is read or run by other programs later`);
  }
  const outside = reason(
    "writes-system",
    `\`${shown(text)}\` is outside the folders that a command may write to`,
  );
  if (ofSuperuser(place)) return outside;
  switch (base) {
    case "work":
      return up > 2 || (up > 0 && SYSTEM_TOPS.has(first)) ? outside : NONE;
    case "home":
      return first.startsWith(".") || first === "Library" || first === "bin" || up > 0 ? outside : NONE;
    case "unknown":
      return unknownTarget(argument);
    case "root":
      if (first === "dev") return READABLE_DEVICES.test(segments.slice(1).join("/")) ? NONE : outside;
      if (first === "var" && second === "tmp") return NONE;
      return WRITABLE_TOPS.has(first) ? NONE : outside;
  }
}

function unknownTarget(argument: Argument): readonly Reason[] {
  if (!argument.text.startsWith(UNKNOWN)) return NONE;
  if (comesFrom(argument, "variable", "output")) {
    return reason("unknown-target", `only the run decides where \`${shown(argument.text)}\` is`);
  }
  return NONE;
}

/** Folders that tools make again. */
export const REBUILT =
  /^(node_modules|dist|build|out|target|coverage|\.nyc_output|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.cache|\.next|\.nuxt|\.turbo|\.parcel-cache|\.svelte-kit|\.tox|\.gradle|\.eggs|.*\.egg-info|tmp|temp|\.tmp|logs?|venv|\.venv|obj|_build|site|storybook-static|htmlcov|test-results|playwright-report|cmake-build-\w+|\.terraform|vendor|Pods|DerivedData|\.angular|\.vite|\.output)$/;
const REBUILT_FILES =
  /\.(tmp|temp|log|bak|old|orig|rej|swp|swo|pyc|pyo|o|obj|a|class|gcda|gcno|cache|out|map|tsbuildinfo|lock|pid|DS_Store)$/;

/** True of a pattern that names only files that tools make again. */
export function namesRebuilt(text: string): boolean {
  const last = text.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return REBUILT.test(last) || REBUILT_FILES.test(last) || last === ".DS_Store" || /~$/.test(last);
}

function deleteReason(place: Place, argument: Argument): readonly Reason[] {
  const { base, up, segments } = place;
  const destructive = reason(
    "destructive",
    `\`${shown(argument.text)}\` may be more than a file of the working folder`,
  );
  if (up > 0 || segments.length === 0) return destructive;
  if (base === "unknown")
    return comesFrom(argument, "temporary") && !comesFrom(argument, "variable", "output", "listing")
      ? NONE
      : destructive;
  if (segments.some((segment) => PERSISTENT.test(segment))) return destructive;
  if (base === "root")
    return segments[0] === "tmp" && segments.length > 1 && !hasPattern(segments[1] ?? "")
      ? NONE
      : destructive;
  if (base === "home") return destructive;
  const last = segments.at(-1) ?? "";
  if (!hasPattern(last) && !last.includes(UNKNOWN)) return NONE;
  return namesRebuilt(last) || segments.slice(0, -1).some((segment) => REBUILT.test(segment))
    ? NONE
    : destructive;
}

/** Reasons against deleting a folder with everything below it. */
export function judgeTree(argument: Argument, from: Place): readonly Reason[] {
  const plain = judgePath(argument, "delete", from);
  if (plain.length > 0) return plain;
  const { base, segments } = resolve(argument.text, from);
  if (segments.some((segment) => REBUILT.test(segment)) || namesRebuilt(segments.at(-1) ?? "")) return NONE;
  if (base === "root" && segments[0] === "tmp") return NONE;
  if (base === "unknown" && comesFrom(argument, "temporary")) return NONE;
  return reason("destructive", `\`${shown(argument.text)}\` and everything below it would be deleted`);
}
