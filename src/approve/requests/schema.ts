/** The tables of the store, for both engines, and how older ones become this one. */

/** Migrations: index n brings a store from version n to n + 1. A published migration never changes. */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE @migration (version BIGINT PRIMARY KEY)`,
    // One row that every writer locks first, so changes have a total order and numbers increase in it.
    `CREATE TABLE @counter (name TEXT PRIMARY KEY, value BIGINT NOT NULL)`,
    `INSERT INTO @counter (name, value) VALUES ('change', 0)`,
    `CREATE TABLE @request (
      id TEXT PRIMARY KEY,
      change_no BIGINT NOT NULL UNIQUE,
      revision BIGINT NOT NULL,
      status TEXT NOT NULL,
      agent TEXT NOT NULL,
      file TEXT NOT NULL,
      filed_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      decision TEXT,
      worst TEXT,
      proved BIGINT NOT NULL,
      refuted BIGINT NOT NULL,
      unknown BIGINT NOT NULL,
      run_state TEXT,
      lease_by TEXT,
      lease_until BIGINT NOT NULL,
      attempts BIGINT NOT NULL,
      filed TEXT NOT NULL,
      found TEXT,
      decided TEXT,
      receipt TEXT,
      progress TEXT
    )`,
    `CREATE INDEX request_by_time ON @request (filed_at, id)`,
    `CREATE INDEX request_by_status ON @request (status, expires_at)`,
    `CREATE INDEX request_by_agent ON @request (agent, status)`,
    `CREATE TABLE @charge (
      limit_name TEXT NOT NULL,
      at BIGINT NOT NULL,
      amount DOUBLE PRECISION NOT NULL,
      request TEXT NOT NULL
    )`,
    `CREATE INDEX charge_by_limit ON @charge (limit_name, at)`,
    // Secrets are kept as their SHA-256 alone.
    `CREATE TABLE @credential (
      name TEXT PRIMARY KEY,
      role TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE,
      made_at BIGINT NOT NULL,
      revoked_at BIGINT
    )`,
    `CREATE TABLE @session (
      hash TEXT PRIMARY KEY,
      csrf TEXT NOT NULL,
      credential TEXT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
    `CREATE TABLE @invitation (
      hash TEXT PRIMARY KEY,
      credential TEXT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
  ],
  [
    // Approved runs for workers, put here by the transaction that approves. Rows that have ended stay.
    `CREATE TABLE @queued_run (
      request TEXT PRIMARY KEY,
      kernel TEXT NOT NULL,
      state TEXT NOT NULL,
      secret TEXT NOT NULL,
      queued_at BIGINT NOT NULL,
      ready_at BIGINT NOT NULL,
      lease_by TEXT,
      lease_until BIGINT NOT NULL,
      attempts BIGINT NOT NULL
    )`,
    `CREATE INDEX queued_run_by_kernel ON @queued_run (kernel, state, ready_at)`,
  ],
  // Null for requests that an earlier version filed.
  [`ALTER TABLE @request ADD COLUMN risk TEXT`],
];
