-- A paused companion reads what it is told, answers nobody and writes to nobody.
ALTER TABLE companions ADD COLUMN paused_at timestamptz(3);
