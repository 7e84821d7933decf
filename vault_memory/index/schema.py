"""The tables of ``index.db``, and how the file says that it is ours and of this version."""

SCHEMA_VERSION = 1
"""Raised whenever a table or the meaning of its rows changes; others are made anew."""

APPLICATION_ID = 0x564C544D
"""Stands in the header of the file: ``VLTM``."""

DRAFTS = (
    "vectors.f32.tmp",
    "vectors.f32.new",
    "vectors.f32.new.tmp",
    "hnsw.usearch.tmp",
    "hnsw.usearch.new",
    "hnsw.usearch.new.tmp",
)
"""Files of vectors that are being written by who has the index open."""

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
    path PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
    sha256 BLOB NOT NULL, note INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE notes (
    key INTEGER PRIMARY KEY, path NOT NULL, kind TEXT NOT NULL, type TEXT NOT NULL,
    id TEXT NOT NULL, name TEXT NOT NULL, title TEXT NOT NULL, abstract TEXT NOT NULL,
    created TEXT NOT NULL, updated TEXT NOT NULL, session TEXT NOT NULL,
    standing TEXT, unsupported INTEGER NOT NULL, findings TEXT,
    first_unit INTEGER NOT NULL, units INTEGER NOT NULL
);
CREATE INDEX notes_kind ON notes (kind, type);
CREATE INDEX notes_id ON notes (id) WHERE id != '';
CREATE INDEX notes_session ON notes (session) WHERE session != '';
CREATE INDEX notes_unsupported ON notes (key) WHERE unsupported;
CREATE TABLE names (
    folded TEXT NOT NULL, note INTEGER NOT NULL, rank INTEGER NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (folded, note)
) WITHOUT ROWID;
CREATE INDEX names_note ON names (note);
CREATE TABLE relations (
    note INTEGER PRIMARY KEY, source TEXT NOT NULL, rel TEXT NOT NULL, target TEXT NOT NULL,
    source_key TEXT NOT NULL, target_key TEXT NOT NULL,
    source_note INTEGER, target_note INTEGER
);
CREATE INDEX relations_source_key ON relations (source_key);
CREATE INDEX relations_target_key ON relations (target_key);
CREATE INDEX relations_source ON relations (source_note);
CREATE INDEX relations_target ON relations (target_note);
CREATE TABLE links (
    note INTEGER NOT NULL, ordinal INTEGER NOT NULL, target TEXT NOT NULL, key TEXT NOT NULL,
    anchor TEXT NOT NULL, line INTEGER NOT NULL, embed INTEGER NOT NULL,
    target_note INTEGER, ambiguous INTEGER NOT NULL,
    PRIMARY KEY (note, ordinal)
) WITHOUT ROWID;
CREATE INDEX links_key ON links (key);
CREATE INDEX links_target ON links (target_note) WHERE target_note IS NOT NULL;
CREATE TABLE other_keys (
    key TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (key, note)
) WITHOUT ROWID;
CREATE INDEX other_keys_note ON other_keys (note);
CREATE TABLE units (
    id INTEGER PRIMARY KEY, note INTEGER NOT NULL, ordinal INTEGER NOT NULL, kind TEXT NOT NULL,
    anchor TEXT NOT NULL, line INTEGER NOT NULL, speaker TEXT NOT NULL, date TEXT NOT NULL,
    row INTEGER, text TEXT NOT NULL
);
CREATE INDEX units_row ON units (row, kind) WHERE row IS NOT NULL;
CREATE INDEX units_pending ON units (note) WHERE row IS NULL;
CREATE TABLE postings (
    term TEXT NOT NULL, chunk INTEGER NOT NULL, entries BLOB NOT NULL,
    PRIMARY KEY (term, chunk)
) WITHOUT ROWID;
CREATE TABLE lengths (kind INTEGER PRIMARY KEY, units INTEGER NOT NULL, terms INTEGER NOT NULL);
"""
