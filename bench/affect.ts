// How fast the affect engine is: appraised events (OCC variables → emotions → new mood and offset), each with its
// own decay, by the service's own functions on one thread.   npm run bench:affect -- [--events 1000000]
import { parseArgs } from 'node:util';
import { HOUR_MS } from '@kith/contracts';
import { baselineOf } from '../services/personality/dist/affect/mood/baseline-of.js';
import { feelingsOf } from '../services/personality/dist/affect/emotions-of.js';
import { moodsAt, type MoodState } from '../services/personality/dist/affect/mood/mood-decay.js';
import { moveMood } from '../services/personality/dist/affect/mood/move-mood.js';
import type { Appraisal } from '../services/personality/dist/affect/appraisal.js';
import { nth, writeResult } from './figures.ts';
import { readNumber } from './options.ts';

/** Below this the engine would show in the time of a turn, or of a replay of a year. */
const WANTED_PER_SECOND = 200_000;
const ROUNDS = 5;
const HALF_LIFE_MS = 6 * HOUR_MS;
const PAUSE_MS = 60_000;

const { values } = parseArgs({ options: { events: { type: 'string', default: '1000000' } } });
const events = readNumber('events', values.events);
const appraisals = Array.from({ length: 4_096 }, (_, n) => appraisalNumber(n));
const temperament = {
  baseline: baselineOf({
    openness: 0.8,
    conscientiousness: 0.6,
    extraversion: 0.6,
    agreeableness: 0.7,
    stability: 0.7,
  }),
  halfLifeMs: HALF_LIFE_MS,
};

feel(Math.min(events, 100_000));
const rates = Array.from({ length: ROUNDS }, () => {
  const started = performance.now();
  feel(events);
  return Math.round((events / (performance.now() - started)) * 1_000);
}).sort((one, other) => one - other);
const figures = {
  events,
  rounds: rates,
  medianPerSecond: nth(rates, Math.floor(ROUNDS / 2)),
  wanted: WANTED_PER_SECOND,
};
await writeResult('affect', figures);
console.log(JSON.stringify(figures));
console.log(
  `affect: ${figures.medianPerSecond.toLocaleString('en')} appraised events/s on one thread (median of ${ROUNDS}; wanted: over ${WANTED_PER_SECOND.toLocaleString('en')})`,
);
if (figures.medianPerSecond <= WANTED_PER_SECOND) process.exitCode = 1;

/** One event a turn, a minute apart: the most work there is for an event. */
function feel(count: number): void {
  let shared: MoodState = { pad: temperament.baseline, at: 0 };
  let offset: MoodState = { pad: { p: 0, a: 0, d: 0 }, at: 0 };
  for (let n = 0; n < count; n += 1) {
    const at = n * PAUSE_MS;
    const feelings = feelingsOf([nth(appraisals, n)]);
    const after = moveMood(moodsAt(shared, offset, temperament, at), feelings).at(-1);
    if (!after) continue;
    shared = { pad: after.shared, at };
    offset = { pad: after.offset, at };
  }
  if (!Number.isFinite(shared.pad.p)) throw new Error('the mood left the numbers');
}

/** Spread over the variables without repeating soon: low-discrepancy steps, so that runs can be compared. */
function appraisalNumber(n: number): Appraisal {
  const along = (step: number) => 2 * ((n * step) % 1) - 1;
  return {
    desirability: along(0.618034),
    likelihood: along(0.754878),
    praiseworthiness: along(0.56984),
    appealingness: along(0.819173),
    target: nth(['self', 'other', 'object'], n),
    prospect: nth(['none', 'hoped', 'none', 'feared', 'none', 'confirmed', 'disconfirmed'], n),
    causedBy: nth(['other', 'circumstances', 'self', 'other'], n),
  };
}
