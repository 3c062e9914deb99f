-- Noted until an edited turn is read again: Redis may lose the order to do so.
ALTER TABLE personality_handled_turns ADD COLUMN edited_at timestamptz(3);
