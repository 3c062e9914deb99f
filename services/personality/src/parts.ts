import { join } from 'node:path';
import { Database, LeftPlaces, SealedRows, TurnLedger } from '@kith/database';
import { CallHooks, createModelRoles, type HookList, ModelChoices } from '@kith/llm';
import { ReadingThread } from '@kith/reading';
import { FollowedModels, type Host, type Token, UsageBook } from '@kith/service-host';
import { CompanionRegistry } from './companion/companion-registry.js';
import { MoodReader } from './companion/mood-reader.js';
import { NightlyReflection } from './companion/nightly-reflection.js';
import type { Config } from './config.js';
import { SHIPPED_FOLDER } from './persona/load-personas.js';
import { appraiseByModel } from './reading/appraise-by-model.js';
import { type AppraiseByRules, Appraiser } from './reading/appraiser.js';
import { AffectHistory } from './store/affect-history.js';
import { AffectRecords } from './store/affect-records.js';
import { CompanionRecords } from './store/companion-records.js';
import { ExplanationRecords } from './store/explanation-records.js';
import { JokeRecords } from './store/joke-records.js';
import { PersonRecords } from './store/person-records.js';
import { ProspectRecords } from './store/prospect-records.js';
import { ReflectionRecords } from './store/reflection-records.js';
import { TurnAppraiser } from './turns/turn-appraiser.js';

/** All parts of personality, by name. */
export type Parts = ReturnType<typeof makeParts>;

/** Key under which its controller finds them. */
export const PARTS: Token<Parts> = Symbol('PARTS');

/** The rules as they were built: a thread runs no TypeScript. */
const RULES = join(import.meta.dirname, '../dist/reading/english/appraise-by-rules.js');

/** Makes every part of personality of those before it, from what stores to what acts. */
export function makeParts(config: Config, hooks: HookList, host: Host) {
  const { messenger, broadcasts, states, logger } = host;
  const usage = new UsageBook();
  const choices = new ModelChoices();
  const followed = new FollowedModels((chosen) => choices.set(chosen));
  const onGone = (label: string) => followed.replace(label);
  const counted = new CallHooks([(call) => usage.note(call)], hooks, ({ account }) => usage.isSpent(account));
  const { fast } = createModelRoles(config.models, { choices, onGone }, counted);
  const thread = new ReadingThread<typeof import('./reading/english/appraise-by-rules.js')>(RULES);
  const rules: AppraiseByRules = (...turn) => thread.call('appraiseByRules', ...turn);

  const database = new Database(config.database);
  const ledger = new TurnLedger(database, 'personality_handled_turns');
  const left = new LeftPlaces(database, 'personality_left_places');
  const sealed = new SealedRows(database, 'personality_sealed_rows');
  const records = new AffectRecords(database, ledger);
  const explanations = new ExplanationRecords(database, left);
  const jokes = new JokeRecords(database);
  const people = new PersonRecords(database, sealed, ledger);
  const prospects = new ProspectRecords(database);

  const kept = new CompanionRecords(database);
  const folders = [SHIPPED_FOLDER, config.companions.folder].filter((folder) => folder !== undefined);
  const companions = new CompanionRegistry(kept, folders, config.timeZone, broadcasts, logger);
  const moods = new MoodReader(records, new AffectHistory(database), explanations);
  const reflection = new NightlyReflection(messenger, new ReflectionRecords(database), logger);
  const appraiser = new Appraiser(fast && appraiseByModel(fast, states), rules, logger);
  const stores = { companions, records, jokes, prospects };
  const appraisal = new TurnAppraiser({ ...stores, messenger, appraiser, logger });

  return {
    ...host,
    /** Follows the gateway's choice of models; null without a fast model. */
    models: fast ? followed : null,
    usage,
    database,
    ledger,
    left,
    sealed,
    explanations,
    people,
    prospects,
    companions,
    moods,
    reflection,
    appraisal,
  };
}
