-- The reply of a turn: whatever is forgotten, edited or deleted looks for it, and read all replies that were ever sent.
CREATE INDEX "outbox_turn_id_idx" ON "outbox"("turn_id");
