import { Database, TurnLedger } from '@kith/database';
import { Broadcasts, Neighbours } from '@kith/messaging';
import { eventually, freshStores, type FreshStores } from '@kith/testing';
import { pino } from 'pino';
import { CompanionsService } from '../persona/companions.service.js';
import { SHIPPED_FOLDER } from '../persona/load-personas.js';
import { AffectRecords } from '../storage/affect-records.js';
import { CompanionRecords } from '../storage/companion-records.js';

/** The shipped companions on stores of their own, with the records of what they feel. */
export interface FeltCompanions {
  stores: FreshStores;
  database: Database;
  companions: CompanionsService;
  records: AffectRecords;
  stop: () => Promise<void>;
}

export async function startFeltCompanions(): Promise<FeltCompanions> {
  const stores = await freshStores();
  const database = new Database({ url: stores.databaseUrl, poolSize: 3 });
  const companions = new CompanionsService(
    new CompanionRecords(database),
    [SHIPPED_FOLDER],
    'UTC',
    new Broadcasts({ redisUrl: '', service: 'personality', neighbours: new Neighbours() }),
    pino({ level: 'silent' }),
  );
  await companions.onApplicationBootstrap();
  await eventually('companions registered', () => companions.all());
  return {
    stores,
    database,
    companions,
    records: new AffectRecords(database, new TurnLedger(database, 'personality_handled_turns')),
    async stop() {
      await companions.onApplicationShutdown();
      await database.close();
      await stores.stop();
    },
  };
}
