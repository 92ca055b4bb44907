/**
 * Authentication data: credentials, browser sessions, and single-use invitations. The store keeps digests only, so a
 * reader of the store cannot impersonate anyone. Part of what must be trusted.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Role } from "../wire.ts";
import { number, text } from "./rows.ts";
import type { Database, Row, Sql } from "./sql.ts";

export interface Credential {
  readonly name: string;
  readonly role: Role;
  /** The holder: who approves counts once, and never for their own agents. By default the name. */
  readonly person: string;
  readonly madeAt: number;
  readonly revokedAt: number | null;
}

/** A session of a browser. */
export interface OpenSession {
  readonly credential: Credential;
  /** Checks the CSRF token that the page received at sign-in. */
  readonly isOfPage: (csrf: string) => boolean;
}

export const roles: readonly Role[] = ["agent", "reader", "reviewer", "admin"];

/** For people and for file names. */
export const credentialName = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/** A session lasts a working day; an invitation is for the operator who just started the service. */
export const sessionMs = 12 * 60 * 60 * 1000;
export const invitationMs = 10 * 60 * 1000;

/** 256 random bits, with a mark by which scanners of secrets can know it. */
function newSecret(mark: "fcc" | "fcs" | "fcp" | "fci"): string {
  return `${mark}_${randomBytes(32).toString("base64url")}`;
}

function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** In a time that says nothing of where they differ. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest());
}

export class Credentials {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The secret, which is told this once; undefined if the name is taken, also by one that was revoked. */
  make(name: string, role: Role, nowMs: number, person = name): Promise<string | undefined> {
    if (!credentialName.test(name) || !credentialName.test(person))
      throw new TypeError("not a name of a credential");
    const secret = newSecret("fcc");
    return this.#database.write(async (sql) => {
      const rows = await sql.all("SELECT name FROM @credential WHERE name = ?1", [name]);
      if (rows.length > 0) return undefined;
      await sql.all(
        "INSERT INTO @credential (name, role, hash, made_at, revoked_at, person) VALUES (?1, ?2, ?3, ?4, NULL, ?5)",
        [name, role, digestOf(secret), nowMs, person],
      );
      return secret;
    });
  }

  async list(): Promise<Credential[]> {
    const rows = await this.#database.read((sql) =>
      sql.all("SELECT name, role, person, made_at, revoked_at FROM @credential ORDER BY made_at, name"),
    );
    return rows.map(credentialIn);
  }

  /** False if there is none that could be revoked. Its sessions end with it. */
  revoke(name: string, nowMs: number): Promise<boolean> {
    return this.#database.write(async (sql) => {
      const rows = await sql.all(
        "UPDATE @credential SET revoked_at = ?1 WHERE name = ?2 AND revoked_at IS NULL RETURNING name",
        [nowMs, name],
      );
      for (const table of ["session", "invitation"])
        await sql.all(`DELETE FROM @${table} WHERE credential = ?1`, [name]);
      return rows.length > 0;
    });
  }

  /** Finds the credential of a secret. */
  find(secret: string): Promise<Credential | undefined> {
    return this.#database.read(async (sql) => {
      const hash = digestOf(secret);
      const [row] = await sql.all(
        "SELECT name, role, person, hash, made_at, revoked_at FROM @credential WHERE hash = ?1 AND revoked_at IS NULL",
        [hash],
      );
      return row !== undefined && isSame(text(row.hash), hash) ? credentialIn(row) : undefined;
    });
  }

  /** Returns true if the credential is not revoked. */
  async isGood(name: string): Promise<boolean> {
    const rows = await this.#database.read((sql) =>
      sql.all("SELECT name FROM @credential WHERE name = ?1 AND revoked_at IS NULL", [name]),
    );
    return rows.length > 0;
  }

  /**
   * A new session: what goes into the cookie, and what the page alone is told.
   * SOUNDNESS: a browser sends a cookie to every port of a host, so whatever else listens on this machine may get to see
   * it. What the page was told, the browser keeps for the page alone; a session is good with both.
   */
  async open(name: string, nowMs: number): Promise<{ readonly secret: string; readonly csrf: string }> {
    const [secret, csrf] = [newSecret("fcs"), newSecret("fcp")];
    await this.#database.write(async (sql) => {
      await sweep(sql, "session", nowMs);
      await sql.all("INSERT INTO @session (hash, csrf, credential, expires_at) VALUES (?1, ?2, ?3, ?4)", [
        digestOf(secret),
        digestOf(csrf),
        name,
        nowMs + sessionMs,
      ]);
    });
    return { secret, csrf };
  }

  async invite(name: string, nowMs: number): Promise<string> {
    const secret = newSecret("fci");
    await this.#database.write(async (sql) => {
      await sweep(sql, "invitation", nowMs);
      await sql.all("INSERT INTO @invitation (hash, credential, expires_at) VALUES (?1, ?2, ?3)", [
        digestOf(secret),
        name,
        nowMs + invitationMs,
      ]);
    });
    return secret;
  }

  session(secret: string, nowMs: number): Promise<OpenSession | undefined> {
    return this.#database.read(async (sql) => {
      const hash = digestOf(secret);
      const credential = await holder(sql, "session", hash, nowMs);
      const [row] = await sql.all("SELECT csrf FROM @session WHERE hash = ?1", [hash]);
      if (credential === undefined || row === undefined) return undefined;
      const kept = text(row.csrf);
      return { credential, isOfPage: (csrf) => isSame(digestOf(csrf), kept) };
    });
  }

  /** Takes an invitation: good once. */
  accept(secret: string, nowMs: number): Promise<Credential | undefined> {
    return this.#database.write(async (sql) => {
      const hash = digestOf(secret);
      const found = await holder(sql, "invitation", hash, nowMs);
      await sql.all("DELETE FROM @invitation WHERE hash = ?1", [hash]);
      return found;
    });
  }

  async end(secret: string): Promise<void> {
    await this.#database.write((sql) => sql.all("DELETE FROM @session WHERE hash = ?1", [digestOf(secret)]));
  }
}

/** Deletes expired rows. */
async function sweep(sql: Sql, table: "session" | "invitation", nowMs: number): Promise<void> {
  await sql.all(`DELETE FROM @${table} WHERE expires_at <= ?1`, [nowMs]);
}

async function holder(
  sql: Sql,
  table: "session" | "invitation",
  hash: string,
  nowMs: number,
): Promise<Credential | undefined> {
  const [row] = await sql.all(
    `SELECT c.name, c.role, c.person, c.made_at, c.revoked_at, s.hash FROM @${table} AS s
     JOIN @credential AS c ON c.name = s.credential
     WHERE s.hash = ?1 AND s.expires_at > ?2 AND c.revoked_at IS NULL`,
    [hash, nowMs],
  );
  return row !== undefined && isSame(text(row.hash), hash) ? credentialIn(row) : undefined;
}

function credentialIn(row: Row): Credential {
  const role = roles.find((one) => one === row.role);
  if (role === undefined) throw new TypeError("a role is none");
  return {
    name: text(row.name),
    role,
    person: row.person === null ? text(row.name) : text(row.person),
    madeAt: number(row.made_at),
    revokedAt: row.revoked_at === null ? null : number(row.revoked_at),
  };
}
