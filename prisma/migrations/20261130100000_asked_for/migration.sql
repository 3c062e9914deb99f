-- A request that the companion took up is stored as its promise: that it was asked for is kept beside.
ALTER TABLE intentions ADD COLUMN asked boolean NOT NULL DEFAULT false;
UPDATE intentions SET asked = true WHERE kind = 'request';
-- An undo restores rows as they were sealed.
UPDATE outreach_sealed_rows SET "row" = "row" || jsonb_build_object('asked', "row" ->> 'kind' = 'request')
  WHERE relation = 'intentions';
