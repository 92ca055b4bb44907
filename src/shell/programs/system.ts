/** Rules for programs that tell about the machine, and refusals for those that change it. */

import { type Reason, reason } from "../reason.ts";
import { type Argument, isLiteral } from "../values/argument.ts";
import { SECRET_VARIABLE } from "../values/expand.ts";
import { byRule, type Judge, refuse } from "./rule.ts";

const asks: Judge = byRule({ operands: "text" });
/** Programs that change something as soon as they get an operand. */
const noOperands: Judge = (call) =>
  call.args.every(({ text }) => text.startsWith("-"))
    ? []
    : reason("writes-system", `\`${call.name}\` would change the machine`);

const only =
  (allowed: RegExp, what: string): Judge =>
  (call) => {
    const bad = call.args.find(({ text }) => !text.startsWith("-") && !allowed.test(text));
    return bad === undefined ? [] : reason("writes-system", `\`${call.name}\` ${what}`);
  };

const date: Judge = byRule({
  operands: "text",
  short: "dfrsI",
  long: ["--date", "--file", "--set", "--reference"],
  text: ["-d", "--date", "-I"],
  deny: { "writes-system": ["-s", "--set"], "dangerous-option": ["-f", "--file"] },
});

const ps: Judge = (call) =>
  call.args.some(({ text }) => /^[a-zA-Z]*e[a-zA-Z]*$/.test(text) && !text.startsWith("-"))
    ? reason("reads-secret", "`ps e` shows the environment of programs")
    : [];

const printenv: Judge = (call) => {
  const names = call.args.filter(({ text }) => !text.startsWith("-"));
  if (names.length === 0) return reason("reads-secret", "the environment may hold secrets");
  return names.every((name) => isLiteral(name) && !SECRET_VARIABLE.test(name.text))
    ? []
    : reason("reads-secret", "a variable may hold a secret");
};

const kill: Judge = (call) => {
  const targets: Argument[] = [];
  for (const [at, argument] of call.args.entries()) {
    const { text } = argument;
    if (text === "-l" || text === "-L") return [];
    if (at === 0 && /^-([A-Z]+[A-Z0-9]*|\d{1,2})$/.test(text) && text !== "-1") continue;
    if (text === "-s" || /^[A-Z]{3,}$/.test(text)) continue;
    targets.push(argument);
  }
  const fine =
    targets.length > 0 &&
    targets.every(
      ({ text }) => /^%\d+$/.test(text) || (/^\d+$/.test(text) && Number(text) > 1) || text === "%",
    );
  return fine ? [] : reason("process-control", "`kill` ends programs that are not named by their number");
};

const sleep: Judge = (call) =>
  call.args.every(({ text }) => /^\d+(\.\d+)?[smh]?$/.test(text) && Number.parseFloat(text) <= 86_400)
    ? []
    : reason("unbounded", "`sleep` waits too long");

const seq: Judge = (call) =>
  call.args.some(({ text }) => /^\d{9,}$/.test(text)) ? reason("unbounded", "`seq` counts too far") : [];

const crontab: Judge = (call) =>
  call.args.length > 0 && call.args.every(({ text }) => text === "-l")
    ? []
    : reason("persistence", "`crontab` plans commands");

const systemctl: Judge = (call) => {
  const [first] = call.args.filter(({ text }) => !text.startsWith("-"));
  const fine =
    first === undefined ||
    /^(status|show|list-units|list-unit-files|list-timers|is-active|is-enabled|is-failed|cat|get-default)$/.test(
      first.text,
    );
  return fine && !call.args.some(({ text }) => /^(-H|--host|-M|--machine)/.test(text))
    ? []
    : reason("persistence", "`systemctl` changes services");
};

const service: Judge = (call) =>
  call.args[1]?.text === "status" || call.args[0]?.text === "--status-all"
    ? []
    : reason("persistence", "`service` changes services");

const man: Judge = byRule({
  operands: "text",
  short: "PHCMRLEprSsek",
  deny: {
    "inline-code": [
      "-P",
      "--pager",
      "-H",
      "--html",
      "-p",
      "--preprocessor",
      "-C",
      "--config-file",
      "-X",
      "--gxditview",
      "-T",
      "--troff-device",
      "-t",
      "--troff",
    ],
  },
  also: (_call, _options, operands) =>
    operands.some(({ text }) => text.startsWith(".") || text.includes("/"))
      ? reason("dangerous-option", "`man` reads a file")
      : [],
});

const openssl: Judge = (call) => {
  const [command, ...rest] = call.args;
  switch (command?.text) {
    case "version":
    case "help":
    case "list":
    case "ciphers":
    case "rand":
      return rest.some(({ text }) => /^-(out|engine|rand|writerand|provider)/.test(text))
        ? reason("dangerous-option", "`openssl` writes or loads a file")
        : [];
    case "dgst":
    case "sha256":
    case "sha1":
    case "md5":
    case "x509":
    case "req":
    case "verify":
    case "crl":
    case "asn1parse":
      if (
        rest.some(({ text }) =>
          /^-(out|engine|sign|signkey|CA|CAkey|key|newkey|new|provider|passin|hmac|config)$/.test(text),
        )
      )
        return reason("dangerous-option", "`openssl` signs, writes or loads something");
      return byRule({ singleDash: true })({ ...call, args: rest });
    default:
      return reason("dangerous-option", "this use of `openssl` is not known to be harmless");
  }
};

const top: Judge = (call) =>
  call.args.some(({ text }) => /^-[a-zA-Z]*b|^-l/.test(text))
    ? []
    : reason("unbounded", "`top` waits for a person");

const hostname: Judge = (call) =>
  call.args.every(({ text }) =>
    /^-[aAdfiIsy]+$|^--(fqdn|short|ip-address|all-ip-addresses|domain|long)$/.test(text),
  )
    ? []
    : reason("writes-system", "`hostname` would change the machine's name");

const CHANGES = "changes the machine";

/** Judges of system programs by name. */
export const systemPrograms: Readonly<Record<string, Judge>> = {
  ...Object.fromEntries(
    "whoami|id|groups|who|w|uptime|uname|arch|nproc|lscpu|lsmem|lsusb|lspci|lsmod|free|vmstat|iostat|mpstat|cal|ncal|locale|getconf|tty|tput|clear|true|false|:|logname|users|last|tsort|expr|factor|numfmt|uuidgen|tldr|cheat|fortune|neofetch|lsb_release|sw_vers|lsof|ss|netstat|pgrep|pidof|pstree|jobs|times|pwd|which|whereis|type|whatis|apropos|locate|hash_|blkid_|sensors|acpi|lsns|numactl_|lslocks|findmnt"
      .split("|")
      .map((name): [string, Judge] => [name, asks]),
  ),
  ss: byRule({
    operands: "text",
    deny: { "process-control": ["-K", "--kill"], "dangerous-option": ["-F", "--filter", "-D", "--diag"] },
  }),
  pgrep: asks,
  lsblk: byRule({ operands: "text" }),
  date,
  ps,
  printenv,
  kill,
  sleep,
  usleep: sleep,
  seq,
  crontab,
  systemctl,
  service,
  man,
  openssl,
  top,
  htop: refuse("unbounded", "waits for a person"),
  hostname,
  hostnamectl: noOperands,
  timedatectl: only(/^(status|show|list-timezones|timesync-status)$/, CHANGES),
  mount: noOperands,
  ifconfig: (call) =>
    call.args.length <= 1 ? [] : reason("writes-system", "`ifconfig` changes the network"),
  ip: (call) => {
    const words = call.args.filter(({ text }) => !text.startsWith("-")).map(({ text }) => text);
    const fine =
      /^(a|addr|address|r|route|l|link|n|neigh|neighbor|rule)$/.test(words[0] ?? "") &&
      (words[1] === undefined || /^(s|sh|show|ls|list|get|dev)$/.test(words[1]));
    return fine && !call.args.some(({ text }) => /^-(b|ba|bat.*|force)$/.test(text))
      ? []
      : reason("writes-system", "`ip` changes the network");
  },
  route: (call) =>
    call.args.every(({ text }) => text.startsWith("-")) ? [] : reason("writes-system", CHANGES),
  arp: (call) =>
    call.args.every(({ text }) => /^-[an]+$/.test(text)) ? [] : reason("writes-system", CHANGES),
  journalctl: byRule({
    operands: "text",
    short: "unpSUogtD",
    text: ["-u", "-n", "-p", "-S", "-U", "-o", "-g", "-t", "--since", "--until"],
    long: ["--since", "--until", "--unit", "--lines"],
    deny: {
      destructive: ["--vacuum-size", "--vacuum-time", "--vacuum-files", "--rotate", "--flush", "--sync"],
      "dangerous-option": ["-D", "--directory", "--file", "--root"],
    },
  }),
  dmesg: byRule({
    operands: "text",
    deny: {
      destructive: ["-c", "-C", "--clear", "--read-clear", "-D", "-E", "-n"],
      "dangerous-option": ["-F", "--file"],
    },
  }),
  sysctl: (call) =>
    call.args.some(({ text }) => text.includes("=") || /^-(w|p|-write|-load|-system)/.test(text))
      ? reason("writes-system", "`sysctl` changes the kernel")
      : [],
  ulimit: asks,
  umask: asks,
  stty: (call) => (call.args.every(({ text }) => /^(-a|size|speed)$/.test(text)) ? [] : noOperands(call)),
  yes: (call) => (call.context.next === "head" ? [] : reason("unbounded", "`yes` never ends")),
  getent: (call) =>
    /^(hosts|services|protocols|networks|ahosts)$/.test(call.args[0]?.text ?? "")
      ? []
      : reason("reads-system", "`getent` reads accounts"),
  ...Object.fromEntries(
    "sudo|su|doas|pkexec|runuser|setpriv|newgrp|sg|visudo|unshare|nsenter|chroot|capsh|setcap|machinectl|systemd-run|start-stop-daemon|gdb|strace|ltrace"
      .split("|")
      .map((name): [string, Judge] => [name, refuse("privilege", "gives or uses rights of others")]),
  ),
  ...Object.fromEntries(
    "useradd|usermod|userdel|groupadd|passwd|chpasswd|adduser|deluser|at|batch|update-rc.d|launchctl|tmux|screen|ssh-copy-id|update-alternatives"
      .split("|")
      .map((name): [string, Judge] => [
        name,
        refuse("persistence", "leaves something behind that runs or lets somebody in"),
      ]),
  ),
  ...Object.fromEntries(
    "shutdown|reboot|halt|poweroff|init|telinit|mkfs|mke2fs|fdisk|sfdisk|parted|wipefs|shred|swapoff|swapon|umount|modprobe|insmod|rmmod|iptables|ip6tables|nft|ufw|setenforce|hdparm|lvremove|vgremove|pvremove|zpool|zfs|mkswap|cryptsetup|losetup"
      .split("|")
      .map((name): [string, Judge] => [name, refuse("destructive", CHANGES)]),
  ),
  killall: refuse("process-control", "ends programs by their name"),
  pkill: refuse("process-control", "ends programs by their name"),
  history: refuse("reads-secret", "shows earlier commands"),
};

export function noReasons(): readonly Reason[] {
  return [];
}
