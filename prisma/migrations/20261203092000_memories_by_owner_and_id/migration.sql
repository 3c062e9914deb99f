-- Somebody's memories in the order of an export, by its last one of a page. Without it a page walked everybody's rows.
CREATE INDEX "memories_person_id_id_idx" ON "memories"("person_id", "id");
