import { Worker } from 'node:worker_threads';
import { check } from 'recheck';

/** The slowest of the source takes 4 s by itself; at the lowest priority beside a run of tests it took over 60. */
const TIMEOUT_MS = 300_000;
/** Eight times what a rule reads, so that a quadratic expression takes 64 times as long. */
const TRIED_CHARACTERS = 32_000;
/** Time any reader may take over hostile text, ms. */
const MAX_MS = 50;
/** An expression that is not done by then is not linear, however busy the machine. */
const GIVE_UP_MS = 10_000;

/**
 * Says whether an expression takes linear time: `safe`, or what is wrong with it. recheck proves it for most; for the
 * largest and those that look around it searches for an attack instead. It counts steps of an engine of its own
 * there, and reports bounded repetitions now and then: such an attack is tried on the real engine.
 */
export async function judgeExpression(source, flags) {
  const verdict = await check(source, flags, { timeout: TIMEOUT_MS, randomSeed: 1 });
  if (verdict.status === 'safe') return 'safe';
  if (verdict.status === 'unknown') return `unknown, ${verdict.error.kind}`;
  if (verdict.checker === 'fuzz' && (await isHarmless(source, flags, verdict.attack))) return 'safe';
  return `vulnerable, ${verdict.complexity.summary}`;
}

function isHarmless(source, flags, { pumps, suffix }) {
  const unit = pumps.reduce((length, { pump }) => length + pump.length, 0);
  const times = Math.ceil(TRIED_CHARACTERS / Math.max(1, unit));
  const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
    const { source, flags, text } = workerData;
    const tries = Array.from({ length: 3 }, () => {
      const began = performance.now();
      new RegExp(source, flags.replace(/[gy]/g, '')).test(text);
      return performance.now() - began;
    });
    parentPort.postMessage(Math.min(...tries));`,
    { eval: true, workerData: { source, flags, text } },
  );
  return new Promise((done) => {
    const timer = setTimeout(() => finish(false), GIVE_UP_MS);
    const finish = (isLinear) => {
      clearTimeout(timer);
      void worker.terminate();
      done(isLinear);
    };
    worker.once('message', (tookMs) => finish(tookMs < MAX_MS));
    worker.once('error', () => finish(false));
  });
}
