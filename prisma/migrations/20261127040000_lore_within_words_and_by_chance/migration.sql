-- Entries of other programs may be found within words, and may come up by chance alone.
ALTER TABLE lore_entries
  ADD COLUMN whole_words boolean NOT NULL DEFAULT true,
  ADD COLUMN probability integer NOT NULL DEFAULT 100;
