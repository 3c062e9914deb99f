import { randomUUID } from 'node:crypto';
import { Database, TurnLedger } from '@kith/database';
import { Broadcasts, Neighbours } from '@kith/messaging';
import { eventually, freshStores, type FreshStores, silentLogger } from '@kith/testing';
import { pino } from 'pino';
import { CompanionRegistry } from '../companion/companion-registry.js';
import { SHIPPED_FOLDER } from '../persona/load-personas.js';
import { appraiseByRules } from '../reading/english/appraise-by-rules.js';
import { AffectRecords } from '../store/affect-records.js';
import { CompanionRecords } from '../store/companion-records.js';
import { feelingsOf } from '../affect/emotions-of.js';

/** The shipped companions on stores of their own, with the records of what they feel. */
export interface FeltCompanions {
  stores: FreshStores;
  database: Database;
  companions: CompanionRegistry;
  records: AffectRecords;
  /** Lets Mira feel what a person says to her. Returns the turn's id. */
  feel: (personId: string, text: string, endedAt: number, now: number) => Promise<string>;
  stop: () => Promise<void>;
}

export async function startFeltCompanions(): Promise<FeltCompanions> {
  const stores = await freshStores();
  const database = new Database({ url: stores.databaseUrl, poolSize: 3 });
  const companions = new CompanionRegistry(
    new CompanionRecords(database),
    [SHIPPED_FOLDER],
    'UTC',
    new Broadcasts({
      redisUrl: '',
      service: 'personality',
      neighbours: new Neighbours(),
      logger: silentLogger,
    }),
    pino({ level: 'silent' }),
  );
  await companions.watch.start();
  await eventually('companions registered', () => companions.all());
  const records = new AffectRecords(database, new TurnLedger(database, 'personality_handled_turns'));
  return {
    stores,
    database,
    companions,
    records,
    async feel(personId, text, endedAt, now) {
      const turnId = randomUUID();
      const character = companions.get('mira');
      const turn = {
        turnId,
        companionId: 'mira',
        personId,
        endedAt,
        character,
        version: character.view.version,
        appraiser: 'rules' as const,
        feelings: feelingsOf(appraiseByRules([text], 'Mira')),
      };
      await records.record([turn], now);
      return turnId;
    },
    async stop() {
      await companions.watch.stop();
      await database.close();
      await stores.stop();
    },
  };
}
