-- Companions that were created through the API have no file.
ALTER TABLE companions ADD COLUMN created boolean NOT NULL DEFAULT false;
