-- A reason whose outreach came to nothing by what passes was lost. It is tried again, each time after a longer while.
ALTER TABLE intentions ADD COLUMN not_before timestamptz(3);
