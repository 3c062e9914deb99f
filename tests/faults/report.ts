import type { Breach } from './check-invariants.ts';
import type { FaultSuite } from './fault-suite.ts';
import type { Ledger } from './ledger.ts';
import type { RoundResult } from './play-round.ts';

/** Messages whose whole history is told. */
const MAX_HISTORIES = 12;

/** Reports a round's breaches, the command that plays it again, and each row's history. */
export async function describeBreaches(
  suite: FaultSuite,
  ledger: Ledger,
  result: RoundResult,
  again: string,
): Promise<string> {
  const lines = [
    `BREACH in round ${result.round}: ${result.fault}, seed ${result.seed}`,
    `again: ${again}`,
    `all work took ${result.slowness.toFixed(1)} times as long as on an idle machine`,
    ...fewOfEach(result.breaches).map(
      ({ invariant, messageId, detail }) => `  ${invariant}: ${messageId ?? ''} ${detail}`,
    ),
  ];
  const touched = new Set(result.breaches.flatMap(({ messageId }) => messageId ?? []));
  for (const messageId of [...touched].slice(0, MAX_HISTORIES)) {
    const entry = ledger.entries.find((one) => one.messageId === messageId);
    lines.push(`history of ${messageId} (${entry?.mark ?? ''} ${entry?.place ?? ''})`);
    const rows = await suite.query(`SELECT * FROM inbox WHERE external_id = $1`, [messageId]);
    for (const row of rows) lines.push(`  inbox ${JSON.stringify(row, bigintAsText)}`);
    for (const { turn_id: turnId } of rows) {
      if (!turnId) continue;
      const sql = {
        turn: `SELECT turn_id, outcome, reason, degraded, started_at, ended_at, followed_up_at FROM turns WHERE turn_id = $1`,
        outbox: 'SELECT * FROM outbox WHERE turn_id = $1',
        memory: 'SELECT id, kind, indexed_in, created_at, sources FROM memories WHERE turn_id = $1',
      };
      for (const [what, query] of Object.entries(sql)) {
        for (const row of await suite.query(query, [turnId])) lines.push(`  ${what} ${JSON.stringify(row)}`);
      }
    }
    for (const { id, place, text } of result.evidence.written) {
      if (entry && text.includes(entry.mark)) lines.push(`  discord ${id} in ${place}: ${text}`);
    }
    const asked = result.evidence.prompts.filter(({ marks }) => entry && marks.includes(entry.mark));
    lines.push(`  the model was asked ${asked.length} times`);
  }
  return lines.join('\n');
}

/** Most of a kind that can be looked at. */
const MAX_OF_ONE_KIND = 40;

/** Leaves out what is the same over and over. */
function fewOfEach(breaches: readonly Breach[]): Breach[] {
  const seen = new Map<string, number>();
  return breaches.filter(({ invariant }) => {
    const count = (seen.get(invariant) ?? 0) + 1;
    seen.set(invariant, count);
    return count <= MAX_OF_ONE_KIND;
  });
}

function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

interface FaultSummary {
  rounds: number;
  hit: number;
  messages: number;
  breaches: number;
  'recovery, ms': number | null;
  'drain, ms': number;
}

/** Rounds of kills at steps from which on one has to come to pass: a miss is rare, and so many in a row are no chance. */
const SEVERAL = 3;

/**
 * Lists the faults that did not come to pass with no reason for it: their rounds prove nothing. A step may be missed now
 * and then, but neither one of them each time, nor all.
 */
function missedOf(results: readonly Pick<RoundResult, 'fault' | 'hit' | 'mayMiss'>[]): string[] {
  const atSteps = results.filter(({ mayMiss }) => mayMiss === 'step');
  const missedSteps = [atSteps, ...Map.groupBy(atSteps, ({ fault }) => fault).values()]
    .filter((rounds) => rounds.length >= SEVERAL && !rounds.some(({ hit }) => hit))
    .flat();
  return results
    .filter((result) => (result.mayMiss === undefined && !result.hit) || missedSteps.includes(result))
    .map(({ fault }) => fault);
}

/** Sums up: a row per fault, with the longest times, and what is wrong with the rounds together. */
export function summarise(results: readonly RoundResult[]) {
  const table: Record<string, FaultSummary> = {};
  for (const { fault, hit, messages, breaches, recoveryMs, drainMs } of results) {
    const row = (table[fault] ??= {
      rounds: 0,
      hit: 0,
      messages: 0,
      breaches: 0,
      'recovery, ms': null,
      'drain, ms': 0,
    });
    row.rounds += 1;
    row.hit += hit ? 1 : 0;
    row.messages += messages;
    row.breaches += breaches.length;
    if (recoveryMs !== null) row['recovery, ms'] = Math.max(row['recovery, ms'] ?? 0, recoveryMs);
    row['drain, ms'] = Math.max(row['drain, ms'], drainMs);
  }
  const missed = missedOf(results);
  const breaches = results.reduce((sum, result) => sum + result.breaches.length, 0);
  const hit = results.filter((result) => result.hit).length;
  const messages = results.reduce((sum, result) => sum + result.messages, 0);
  return {
    table,
    isPassed: breaches === 0 && missed.length === 0,
    line: [
      `${results.length} rounds, ${hit} hit, ${messages} messages, ${breaches} breaches`,
      ...missed.map((fault) => `MISSED ${fault}`),
    ].join('\n'),
  };
}
