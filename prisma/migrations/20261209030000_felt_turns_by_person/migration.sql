-- The person first: by person alone, felt turns are counted and erased, and nothing looks for those of a companion by it.
DROP INDEX "felt_turns_companion_id_person_id_at_idx";
CREATE INDEX "felt_turns_person_id_companion_id_at_idx" ON "felt_turns"("person_id", "companion_id", "at");
