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
  [
    // For filters and the order of the list; null for requests that an earlier version proved.
    `ALTER TABLE @request ADD COLUMN risk_level BIGINT`,
    `ALTER TABLE @request ADD COLUMN program TEXT`,
    `ALTER TABLE @request ADD COLUMN votes TEXT`,
    `ALTER TABLE @request ADD COLUMN edited TEXT`,
    `CREATE INDEX request_by_file ON @request (agent, file, filed_at)`,
    // The person who holds a credential; null for the name of the credential.
    `ALTER TABLE @credential ADD COLUMN person TEXT`,
    `CREATE TABLE @standing (
      id TEXT PRIMARY KEY,
      request TEXT NOT NULL,
      agent TEXT NOT NULL,
      file TEXT NOT NULL,
      program TEXT NOT NULL,
      modules TEXT NOT NULL,
      inputs_digest TEXT NOT NULL,
      inputs TEXT NOT NULL,
      kernel TEXT NOT NULL,
      run TEXT,
      budget TEXT,
      uses BIGINT NOT NULL,
      used BIGINT NOT NULL,
      cap TEXT,
      charged TEXT NOT NULL,
      approvers TEXT NOT NULL,
      made_at BIGINT NOT NULL,
      until_at BIGINT NOT NULL,
      revoked_by TEXT,
      revoked_at BIGINT
    )`,
    `CREATE INDEX standing_by_program ON @standing (agent, program)`,
    // No number of a standing approval is given twice.
    `CREATE TABLE @standing_use (
      standing TEXT NOT NULL,
      number BIGINT NOT NULL,
      request TEXT NOT NULL,
      at BIGINT NOT NULL,
      PRIMARY KEY (standing, number)
    )`,
    // Messages to webhooks: each once, whichever instance sends it.
    `CREATE TABLE @delivery (
      webhook TEXT NOT NULL,
      request TEXT NOT NULL,
      event TEXT NOT NULL,
      state TEXT NOT NULL,
      attempts BIGINT NOT NULL,
      next_at BIGINT NOT NULL,
      made_at BIGINT NOT NULL,
      PRIMARY KEY (webhook, request, event)
    )`,
    `CREATE INDEX delivery_by_time ON @delivery (state, next_at)`,
  ],
];
