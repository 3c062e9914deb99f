-- Nearly all of a person's memories are open, so this index finds nothing among them. Until a new database has
-- statistics, Postgres took it for what is not indexed yet, and each recall read all that the person had, three times.
DROP INDEX "memories_person_id_shelf_idx";
CREATE INDEX "memories_person_id_shelf_idx" ON "memories"("person_id", "shelf") WHERE "shelf" <> 'open';
