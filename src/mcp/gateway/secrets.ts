/**
 * The secrets of a server's configuration, and their removal from everything that it says: a server that repeats its token in an
 * error would put it before the model, into programs and into traces.
 * LIMIT: a secret that the server encodes or splits is not found.
 */
import { isObject, type Json } from "./json.ts";
import type { ServerConfig } from "./servers.ts";
import { expandedText, type Variables, variablesIn } from "./variables.ts";

/** LIMIT: a shorter value would be found in texts that have nothing to do with it. */
const leastLength = 6;

const secretName = /auth|bearer|cookie|credential|jwt|key|passphrase|passw|pat$|pin$|secret|session|token/i;

/** Tells by its name if a value is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Returns the values of the configuration that must appear nowhere else, the longest first. */
export function secretsOf(config: ServerConfig, variables: Variables): readonly string[] {
  const named = "url" in config ? (config.headers ?? {}) : (config.env ?? {});
  const others = "url" in config ? [config.url] : [config.command, ...(config.args ?? [])];
  const found = new Set<string>();
  for (const [name, text] of Object.entries(named)) {
    if (!isSecretName(name) && !variablesIn(text).some(isSecretName)) continue;
    const value = expandedText(text, variables);
    found.add(value);
    // `Bearer x`: the part after the scheme is the secret.
    for (const part of value.split(/\s+/).slice(1)) found.add(part);
  }
  for (const text of [...Object.values(named), ...others])
    for (const name of variablesIn(text).filter(isSecretName)) found.add(variables.environment[name] ?? "");
  return [...found].filter((one) => one.length >= leastLength).sort((a, b) => b.length - a.length);
}

const removed = "[secret]";

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, removed), text);
}

/** The same with names and texts at any depth. */
export function jsonWithoutSecrets(json: Json, secrets: readonly string[]): Json {
  if (secrets.length === 0) return json;
  if (typeof json === "string") return withoutSecrets(json, secrets);
  if (Array.isArray(json)) return json.map((one: Json) => jsonWithoutSecrets(one, secrets));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, one]) => [
      withoutSecrets(name, secrets),
      jsonWithoutSecrets(one, secrets),
    ]),
  );
}
