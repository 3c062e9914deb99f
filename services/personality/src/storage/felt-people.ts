import { PersonRows, Prisma, type Database, type Tx } from '@kith/database';

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
    await this.database.asSystem((tx) => dropHabits(tx, Prisma.sql`person_id = ${personId}::uuid`));
    await this.#rows.erase(personId);
  }

  /**
   * Lets go of how these turns were felt, and of habits, jokes and hopes that come from them; the bonds that they made stay.
   * Safe to repeat. Returns how many rows went.
   */
  forgetTurns(turnIds: readonly string[]): Promise<number> {
    const among = Prisma.sql`turn_id = ANY (${[...turnIds]}::uuid[])`;
    return this.database.asSystem(async (tx) => {
      let rows = await dropHabits(tx, among);
      for (const table of ['quirk_sources', 'diary_sources', 'affect_events', 'prospects', 'felt_turns']) {
        rows += await tx.$executeRaw`DELETE FROM ${Prisma.raw(table)} WHERE ${among}`;
      }
      const jokes = await tx.sharedJoke.deleteMany({ where: { turnIds: { hasSome: [...turnIds] } } });
      return rows + jokes.count;
    });
  }
}

/** Habits that were picked up, and come from no other sources than these. */
function dropHabits(tx: Tx, sources: Prisma.Sql): Promise<number> {
  return tx.$executeRaw`
    DELETE FROM quirks WHERE origin = 'reflection'
      AND EXISTS (SELECT 1 FROM quirk_sources WHERE quirk_id = quirks.id AND ${sources})
      AND NOT EXISTS (SELECT 1 FROM quirk_sources WHERE quirk_id = quirks.id AND NOT (${sources}))`;
}
