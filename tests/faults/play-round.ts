import { setTimeout as sleep } from 'node:timers/promises';
import { checkInvariants, type Breach, type Evidence } from './check-invariants.ts';
import { collectEvidence, indexedIds, placeBookmarks } from './collect-evidence.ts';
import type { Fault } from './fault.ts';
import type { FaultSuite } from './fault-suite.ts';
import type { Ledger } from './ledger.ts';
import { Random } from './random.ts';
import { Slowness } from './slowness.ts';
import type { Traffic } from './traffic.ts';

export interface RoundResult {
  round: number;
  fault: string;
  seed: number;
  /** True where the fault came to pass. */
  hit: boolean;
  mayMiss: Fault['mayMiss'];
  messages: number;
  /** From the end of the fault until nothing was left to do. */
  drainMs: number;
  /** From a kill until the service was ready again and nothing accepted before it waited; null without a kill. */
  recoveryMs: number | null;
  /** Time that all work took, against what it takes on an idle machine. */
  slowness: number;
  breaches: Breach[];
  evidence: Evidence;
}

/** On an idle machine; on a crowded one it takes as much longer as all work there (`Slowness`). */
const DRAINED_WITHIN_MS = 60_000;
const RECOVERED_WITHIN_MS = 15_000;
const TEN_MINUTES_MS = 600_000;
/** Past this a round is given up as not drained, on an idle machine as well. */
const PATIENCE_MS = 90_000;

/** People talk, something breaks and is mended, all is left to settle, and then every invariant is checked. */
export async function playRound(
  parts: { suite: FaultSuite; traffic: Traffic; ledger: Ledger },
  {
    round,
    fault,
    seed,
    talk,
  }: { round: number; fault: Fault; seed: number; talk?: { count: number; withinMs: number } },
): Promise<RoundResult> {
  const { suite, traffic, ledger } = parts;
  const random = new Random(seed);
  const slowness = new Slowness();
  const since = await placeBookmarks(suite);
  const identified = suite.discord.gateway.identifies.length;
  const bot = suite.stack.service('discord-bot').process;
  const started = bot.starts;
  const death = fault.kills ? watchDeath(suite, fault.kills) : null;
  const talking = talk
    ? traffic.talk(round, random, talk.count, talk.withinMs / talk.count)
    : traffic.talk(round, random, random.between(5, 12));
  const hit = await fault.happen({ suite, traffic, ledger, random: new Random(seed + 1), round, slowness });
  const endedAt = performance.now();
  const diedAt = death?.stop() ?? null;
  const recoveryMs =
    fault.kills && diedAt !== null ? await recovered(suite, fault.kills, { diedAt, slowness }) : null;
  await talking;
  suite.discord.clearFaults();
  const drained = await untilDrained(suite, ledger, { round, slowness });
  const drainMs = Math.round(performance.now() - endedAt);
  const entries = ledger.ofRound(round);
  const evidence = await collectEvidence(parts, entries, since);
  const breaches = checkInvariants(
    {
      entries,
      ledger,
      mayFailDelivery: fault.mayFailDelivery ?? false,
      setsAside: fault.setsAside ?? 0,
      extraModelCalls: fault.reachesModel ? Number.POSITIVE_INFINITY : 1,
      invalidRequests: suite.discord.journal.invalidRequestsSince(performance.now() - TEN_MINUTES_MS),
      identifies: suite.discord.gateway.identifies.length - identified,
      botStarts: bot.starts - started,
    },
    evidence,
  );
  breaches.push(...((await fault.check?.({ suite })) ?? []));
  const { factor } = slowness;
  const late = (invariant: string, tookMs: number) =>
    breaches.push({
      invariant,
      messageId: null,
      detail: `${tookMs} ms, where all work took ${factor.toFixed(1)} times as long as it would alone`,
    });
  if (!drained || drainMs > DRAINED_WITHIN_MS * factor) late('not drained in time', drainMs);
  if (recoveryMs !== null && recoveryMs > RECOVERED_WITHIN_MS * factor)
    late('not recovered in time', recoveryMs);
  return {
    round,
    fault: fault.name,
    seed,
    hit,
    mayMiss: fault.mayMiss,
    messages: entries.length,
    drainMs,
    recoveryMs,
    slowness: slowness.factor,
    breaches,
    evidence,
  };
}

/** Notes when the service's process is another one. */
function watchDeath(suite: FaultSuite, service: NonNullable<Fault['kills']>) {
  const pid = suite.stack.service(service).process.pid;
  let diedAt: number | null = null;
  const timer = setInterval(() => {
    if (suite.stack.service(service).process.pid === pid) return;
    diedAt ??= performance.now();
  }, 10);
  return {
    stop: (): number | null => {
      clearInterval(timer);
      return diedAt ?? (suite.stack.service(service).process.pid === pid ? null : performance.now());
    },
  };
}

async function recovered(
  suite: FaultSuite,
  service: NonNullable<Fault['kills']>,
  { diedAt, slowness }: { diedAt: number; slowness: Slowness },
): Promise<number> {
  const accepted = await suite.query<{ id: string }>(`SELECT id FROM inbox WHERE outcome IS NULL`);
  const ids = accepted.map(({ id }) => id);
  const began = performance.now();
  while (performance.now() < began + PATIENCE_MS * slowness.factor) {
    const health = await suite.stack.service(service).health();
    const [open] = await suite.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM inbox WHERE id = ANY($1) AND outcome IS NULL`,
      [ids],
    );
    const isBack = health?.ready && (service !== 'discord-bot' || isConnected(suite));
    if (isBack && open!.count === 0) break;
    await sleep(50);
  }
  return Math.round(performance.now() - diedAt);
}

/** Waits until nothing is left to do. Returns false when that takes for ever. */
async function untilDrained(
  suite: FaultSuite,
  ledger: Ledger,
  { round, slowness }: { round: number; slowness: Slowness },
): Promise<boolean> {
  const began = performance.now();
  const expected = () =>
    ledger
      .ofRound(round)
      .filter(({ takenBack }) => !takenBack)
      .map(({ messageId }) => messageId);
  while (performance.now() < began + PATIENCE_MS * slowness.factor) {
    const [left] = await suite.query<{ count: string }>(
      `SELECT (SELECT count(*) FROM unnest($1::text[]) m (id) WHERE NOT EXISTS (SELECT 1 FROM inbox WHERE external_id = m.id))
        + (SELECT count(*) FROM inbox WHERE outcome IS NULL)
        + (SELECT count(*) FROM outbox WHERE status = 'pending')
        + (SELECT count(*) FROM forget_orders WHERE finished_at IS NULL)
        + (SELECT count(*) FROM turns t WHERE t.origin = 'message' AND t.outcome IN ('answered', 'apologised')
            AND t.followed_up_at IS NULL AND t.follow_up_problem IS NULL AND NOT EXISTS (
              SELECT 1 FROM memory_handled_turns m JOIN personality_handled_turns USING (turn_id)
                JOIN outreach_handled_turns USING (turn_id) WHERE m.turn_id = t.turn_id))
        + (SELECT count(*) FROM memories WHERE indexed_in IS NULL AND shelf = 'open') AS count`,
      [expected()],
    );
    const isQuiet = Number(left!.count) === 0 && isConnected(suite);
    if (isQuiet && (await isIndexWhole(suite))) return true;
    await sleep(100);
  }
  return false;
}

/** A bot that waits for its shard is healthy, and hears nothing. */
function isConnected(suite: FaultSuite): boolean {
  return suite.discord.gateway.connected > 0;
}

async function isIndexWhole(suite: FaultSuite): Promise<boolean> {
  const points = new Set(await indexedIds(suite));
  const memories = await suite.query<{ id: string }>(`SELECT id FROM memories WHERE shelf = 'open'`);
  return points.size === memories.length && memories.every(({ id }) => points.has(id));
}
