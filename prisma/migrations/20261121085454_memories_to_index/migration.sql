-- Each recall looks for what of a person's is not in the index: by this, without reading all that is.
CREATE INDEX "memories_person_id_indexed_in_idx" ON "memories"("person_id", "indexed_in");
