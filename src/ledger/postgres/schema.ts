/**
 * The tables of a ledger in PostgreSQL, and how older ones become this one. The schema itself refuses what a ledger
 * never does: changing an entry, removing one, leaving a gap. `$schema` is the quoted name of the ledger's schema.
 */

import type { PostgresTables } from "../../sql/index.ts";

/** Migrations: index n brings a ledger from version n to n + 1. A published migration never changes. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE $schema.migration (
    version integer PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE $schema.kernel (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE CHECK (name <> '')
  );

  CREATE TABLE $schema.entry (
    kernel bigint NOT NULL REFERENCES $schema.kernel (id),
    seq bigint NOT NULL CHECK (seq >= 1),
    hash text COLLATE "C" NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
    bytes bytea NOT NULL CHECK (length(bytes) > 0),
    PRIMARY KEY (kernel, seq)
  );

  CREATE TABLE $schema.snapshot (
    kernel bigint PRIMARY KEY REFERENCES $schema.kernel (id),
    seq bigint NOT NULL CHECK (seq >= 1),
    bytes bytea NOT NULL
  );

  CREATE FUNCTION $schema.entry_follows() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    IF NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM $schema.entry WHERE kernel = NEW.kernel) THEN
      RAISE EXCEPTION 'an entry follows the last one' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
  END $body$;

  CREATE FUNCTION $schema.stays() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    RAISE EXCEPTION '% of a ledger is never changed or removed', TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation';
  END $body$;

  CREATE TRIGGER entry_follows BEFORE INSERT ON $schema.entry
    FOR EACH ROW EXECUTE FUNCTION $schema.entry_follows();
  CREATE TRIGGER entry_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON $schema.entry
    FOR EACH STATEMENT EXECUTE FUNCTION $schema.stays();
  CREATE TRIGGER kernel_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON $schema.kernel
    FOR EACH STATEMENT EXECUTE FUNCTION $schema.stays();
  `,
  // Resolution of doubts: a mark in the last entry of each group, and an epoch that only rises. A role that may lock
  // the row of a kernel may raise it.
  `
  ALTER TABLE $schema.entry ADD COLUMN mark bytea;
  ALTER TABLE $schema.kernel ADD COLUMN epoch bigint NOT NULL DEFAULT 0;

  DROP TRIGGER kernel_stays ON $schema.kernel;
  CREATE TRIGGER kernel_stays BEFORE UPDATE OF id, name OR DELETE OR TRUNCATE ON $schema.kernel
    FOR EACH STATEMENT EXECUTE FUNCTION $schema.stays();
  CREATE TRIGGER kernel_epoch_rises BEFORE UPDATE ON $schema.kernel
    FOR EACH ROW WHEN (NEW.epoch <= OLD.epoch) EXECUTE FUNCTION $schema.stays();

  DO $body$
  DECLARE who oid;
  BEGIN
    FOR who IN
      SELECT DISTINCT grantee FROM pg_attribute, aclexplode(attacl)
      WHERE attrelid = '$schema.kernel'::regclass AND attname = 'id' AND privilege_type = 'UPDATE'
    LOOP
      EXECUTE format('GRANT UPDATE (epoch) ON $schema.kernel TO %s',
        CASE who WHEN 0 THEN 'PUBLIC' ELSE who::regrole::text END);
    END LOOP;
  END $body$;
  `,
  // No table changes: entries hold codes and arguments from here on, which earlier versions cannot read.
  "",
  // Nor here: entries of the third form are judged more strictly, which earlier versions would not.
  "",
  // Nor here: entries of the fourth form name their principal.
  "",
];

export const ledgerTables: PostgresTables = {
  noun: "ledger",
  advisoryLock: 0x46434c47, // FCLG
  migrations: MIGRATIONS,
  knownBy: "entry",
};
