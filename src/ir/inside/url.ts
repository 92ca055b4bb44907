/**
 * Tests if a URL belongs to an origin, and is below its path if it has one. The reader is strict: a URL that two
 * parsers could read differently, or that one of them rejects, is not inside anything. SOUNDNESS: for every URL
 * inside, a URL parser of the web agrees on scheme, host and port, finds no user, and finds the path below. Part of
 * what must be trusted.
 */
import { choice, exactly, type Language, many, maybe, one, sequence } from "../regular/language.ts";
import { digit, lower, type Units, units, unitsOf, upper, without } from "../regular/units.ts";
import type { Forms } from "./forms.ts";

/** True when the URL, after normalising, is of the origin and below its path; false for what is not clear. */
export function urlInside(url: string, origin: string): boolean {
  const outer = readOrigin(origin);
  const inner = outer && readUrl(url);
  if (outer === undefined || inner === undefined) return false;
  return (
    inner.scheme === outer.scheme &&
    inner.host === outer.host &&
    inner.port === outer.port &&
    outer.segments.every((segment, i) => segment === inner.segments[i])
  );
}

interface Url {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  /** Without dots; the last is empty after a trailing slash. */
  readonly segments: readonly string[];
  readonly isBare: boolean;
}

const defaultPorts: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["https", 443],
  ["ws", 80],
  ["wss", 443],
  ["ftp", 21],
]);

const whole = /^([A-Za-z]+):\/\/([A-Za-z0-9.-]+)(?::(\d{1,5}))?(\/[^?#]*)?(\?[^#]*)?(#[^#]*)?$/;
const pathText = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/;
/** Control characters and separators, which some readers decode and take for themselves. */
const hidden = /%(?:[01][0-9A-Fa-f]|2[fF]|5[cC]|7[fF])/;
const tailText = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?[\]]|%[0-9A-Fa-f]{2})*$/;

function readUrl(text: string): Url | undefined {
  const [, scheme = "", host = "", port, path = "", query = "", fragment = ""] = whole.exec(text) ?? [];
  const usual = defaultPorts.get(scheme.toLowerCase());
  if (usual === undefined || !isClearHost(host.toLowerCase())) return undefined;
  // With a zero in front, not all take it for a decimal number.
  if (port !== undefined && (port.startsWith("0") || Number(port) > 65535)) return undefined;
  if (!pathText.test(path) || hidden.test(path)) return undefined;
  if (!tailText.test(query) || !tailText.test(fragment.slice(1))) return undefined;
  return {
    scheme: scheme.toLowerCase(),
    host: host.toLowerCase(),
    port: port === undefined ? usual : Number(port),
    segments: normalSegments(path.split("/").slice(1)),
    isBare: query === "" && fragment === "",
  };
}

/** An origin is a place: no query, no fragment, no empty segment, and a slash at its end changes nothing. */
function readOrigin(text: string): Url | undefined {
  const url = readUrl(text);
  if (url === undefined || !url.isBare) return undefined;
  const segments = url.segments.at(-1) === "" ? url.segments.slice(0, -1) : url.segments;
  return segments.includes("") ? undefined : { ...url, segments };
}

/** Names that are no numbers in disguise and need no Unicode tables, or four plain numbers. */
function isClearHost(host: string): boolean {
  if (host.length > 253) return false;
  const labels = host.split(".");
  const areNames = labels.every(
    (label) => label.length <= 63 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label) && !/^..--/.test(label),
  );
  if (!areNames) return false;
  if (!/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "")) return true;
  return (
    labels.length === 4 && labels.every((label) => /^(?:0|[1-9]\d{0,2})$/.test(label) && Number(label) < 256)
  );
}

function normalSegments(segments: readonly string[]): readonly string[] {
  const kept: string[] = [];
  segments.forEach((segment, i) => {
    const isLast = i === segments.length - 1;
    const dots = segment.replaceAll(/%2e/gi, ".");
    if (dots !== "." && dots !== "..") {
      kept.push(segment);
      return;
    }
    if (dots === "..") kept.pop();
    if (isLast) kept.push("");
  });
  return kept;
}

// ── as regular languages ─────────────────────────────────────────────────────────────────────────────────

const letters = units([...upper, ...lower]);
const hex = units([...digit, ...units([[0x41, 0x46]]), ...units([[0x61, 0x66]])]);
const signs = "-_~!$&'()*+,;=:@";
const pathUnit: Units = units([...letters, ...digit, ...unitsOf(signs)]);
const tailUnit: Units = units([...pathUnit, ...unitsOf("./?[]")]);
const percent = exactly("%");
const slash = exactly("/");

const dot = choice(exactly("."), sequence(exactly("%2"), one(unitsOf("eE"))));
/** Characters of a segment other than a dot. */
const other = choice(
  one(pathUnit),
  sequence(percent, one(without(hex, unitsOf("01257"))), one(hex)),
  sequence(percent, exactly("2"), one(without(hex, unitsOf("eEfF")))),
  sequence(percent, exactly("5"), one(without(hex, unitsOf("cC")))),
  sequence(percent, exactly("7"), one(without(hex, unitsOf("fF")))),
);
const place = choice(dot, other);
const segment = many(place);
/** Anything but two dots. */
const notUp = choice(
  maybe(dot),
  sequence(other, segment),
  sequence(dot, other, segment),
  sequence(dot, dot, place, segment),
);
const tailPlace = choice(one(tailUnit), sequence(percent, one(hex), one(hex)));
const tail = sequence(
  maybe(sequence(exactly("?"), many(tailPlace))),
  maybe(sequence(exactly("#"), many(tailPlace))),
);

/** The URLs inside the origin that do not go up in their path, and those that do. */
export function urlForms(origin: string): Forms | undefined {
  const outer = readOrigin(origin);
  if (outer === undefined) return undefined;
  const { scheme, host, port, segments } = outer;
  const written = sequence(exactly(":"), exactly(String(port)));
  const start = sequence(
    anyCase(scheme),
    exactly("://"),
    anyCase(host),
    defaultPorts.get(scheme) === port ? maybe(written) : written,
  );
  const anyPath = many(sequence(slash, segment));
  if (segments.length === 0) return { inside: sequence(start, anyPath, tail) };
  const below = segments.flatMap((one) => [many(sequence(slash, dot)), slash, exactly(one)]);
  return {
    inside: sequence(start, ...below, many(sequence(slash, notUp)), tail),
    open: sequence(start, anyPath, slash, dot, dot, anyPath, tail),
  };
}

function anyCase(text: string): Language {
  return sequence(...Array.from(text, (sign) => one(unitsOf(sign.toLowerCase() + sign.toUpperCase()))));
}
