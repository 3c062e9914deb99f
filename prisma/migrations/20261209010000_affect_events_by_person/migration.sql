-- What a person made a companion feel: it is listed, counted and erased, and was looked for among everybody's events.
CREATE INDEX "affect_events_person_id_idx" ON "affect_events"("person_id");
