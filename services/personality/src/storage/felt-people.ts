import { PersonRows, type Database, type Tx } from '@kith/database';

const TABLES = [
  ...['felt_turns', 'affect_events', 'relationships', 'quirk_sources', 'diary_sources'],
  ...['shared_jokes', 'prospects', 'personality_handled_turns'],
];

/** What personality keeps of people. The companion's own mood and needs stay: they are of nobody. */
export class FeltPeople {
  readonly #rows: PersonRows;

  constructor(private readonly database: Database) {
    this.#rows = new PersonRows(database, TABLES);
  }

  count(personId: string): Promise<Record<string, number>> {
    return this.#rows.count(personId);
  }

  /** Lets go of a person, and of habits that come from nobody else. Safe to repeat. */
  async erase(personId: string): Promise<void> {
    // Whose the other sources are is told only to the system.
    await this.database.asSystem((tx) => dropHabitsOf(tx, personId));
    await this.#rows.erase(personId);
  }
}

async function dropHabitsOf(tx: Tx, personId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM quirks WHERE origin = 'reflection'
      AND EXISTS (SELECT 1 FROM quirk_sources WHERE quirk_id = quirks.id AND person_id = ${personId}::uuid)
      AND NOT EXISTS (SELECT 1 FROM quirk_sources WHERE quirk_id = quirks.id AND person_id <> ${personId}::uuid)`;
}
