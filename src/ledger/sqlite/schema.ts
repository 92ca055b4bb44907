/**
 * The tables of a ledger file, and how older ones become this one. The schema itself refuses what a ledger never does:
 * changing an entry, removing one, leaving a gap.
 */

/** In the header of the file, so that no other database is taken for a ledger: `FCLG`. */
export const APPLICATION_ID = 0x46434c47;

/** Migrations: index n brings a file from version n to n + 1. A published migration never changes. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE migration (
    version INTEGER PRIMARY KEY,
    applied_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
  ) STRICT;

  CREATE TABLE kernel (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE CHECK (name <> '')
  ) STRICT;

  CREATE TABLE entry (
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    seq INTEGER NOT NULL CHECK (seq >= 1),
    hash TEXT NOT NULL CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
    bytes BLOB NOT NULL CHECK (length(bytes) > 0),
    PRIMARY KEY (kernel, seq)
  ) STRICT;

  CREATE TABLE snapshot (
    kernel INTEGER PRIMARY KEY REFERENCES kernel (id),
    seq INTEGER NOT NULL CHECK (seq >= 1),
    bytes BLOB NOT NULL
  ) STRICT;

  -- Before the insert, so that INSERT OR REPLACE replaces nothing either.
  CREATE TRIGGER entry_follows BEFORE INSERT ON entry
  WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM entry WHERE kernel = NEW.kernel)
  BEGIN SELECT RAISE(ABORT, 'an entry follows the last one'); END;

  CREATE TRIGGER entry_stays BEFORE UPDATE ON entry
  BEGIN SELECT RAISE(ABORT, 'an entry is never changed'); END;

  CREATE TRIGGER entry_remains BEFORE DELETE ON entry
  BEGIN SELECT RAISE(ABORT, 'an entry is never removed'); END;

  CREATE TRIGGER kernel_stays BEFORE UPDATE ON kernel
  BEGIN SELECT RAISE(ABORT, 'a kernel is never renamed'); END;

  CREATE TRIGGER kernel_remains BEFORE DELETE ON kernel
  BEGIN SELECT RAISE(ABORT, 'a kernel is never removed'); END;
  `,
  // No table changes: entries hold codes and arguments from here on, which earlier versions cannot read.
  "SELECT 1",
  // Nor here: entries of the third form are judged more strictly, which earlier versions would not.
  "SELECT 1",
  // Nor here: entries of the fourth form name their principal.
  "SELECT 1",
];
