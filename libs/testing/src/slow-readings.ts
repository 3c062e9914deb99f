import { hostileTexts } from './hostile-text.js';

/** From the longest message of Discord to what only an import or a document holds. */
const LENGTHS = [4_000, 20_000, 100_000] as const;
/** Time a reader may take for one text: nobody notices a process that is busy for so long. */
const MAX_MS = 50;
/** Tries of one text: the compiler, the collector or a neighbour may slow one down, but not all. */
const TRIES = 12;
/** Pause before a later try: a neighbour that takes the processor's caches is gone by then. */
const PAUSE_MS = 100;
const TRIES_AT_ONCE = 4;
/** Time of the yardstick below on the machine where the limit was set, with nothing beside it. */
const YARDSTICK_MS = 40;
const YARDSTICK = Array.from({ length: 20_000 }, (_, n) => `word${n % 97}`).join(' ');

/**
 * Hands hostile texts of 4,000 to 100,000 characters to a reader. Returns those that took more than 50 ms of this thread's
 * CPU time, and how long they took. Other load does not count, and a processor that is slower just now gets as much more
 * time.
 */
export function slowReadings(read: (text: string) => unknown): string[] {
  const slow: string[] = [];
  for (const characters of LENGTHS) {
    for (const { family, text } of hostileTexts(characters)) {
      const tookMs = bestMsOf(() => read(text), MAX_MS);
      if (tookMs > MAX_MS) slow.push(`${family}, ${characters} characters: ${Math.round(tookMs)} ms`);
    }
  }
  return slow;
}

/**
 * Measures the CPU time of a piece of work on this thread, in milliseconds: the best of several tries, until one is within
 * a bound. Where none is, the time is that of a machine as fast as the one where bounds are set.
 */
export function bestMsOf(work: () => unknown, maxMs: number): number {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < TRIES && bestMs > maxMs; tried += 1) {
    if (tried >= TRIES_AT_ONCE) pause();
    bestMs = Math.min(bestMs, cpuMsOf(work));
  }
  return usualMs(bestMs, maxMs);
}

/**
 * Tells what a measured time of this thread would be on a machine as fast as the one where bounds are set. The yardstick
 * takes longer than most of what is measured, so a time within its bound stays as it is.
 */
export function usualMs(tookMs: number, maxMs: number): number {
  return tookMs > maxMs ? tookMs / slowness() : tookMs;
}

/** Measures CPU time on this thread: the same whatever else the machine does. */
function cpuMsOf(work: () => unknown): number {
  const began = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1_000;
}

/** Measures by how much slower than usual this thread reads now; 1 at least. */
function slowness(): number {
  const times = Array.from({ length: 3 }, () => cpuMsOf(readYardstick));
  return Math.max(1, Math.min(...times) / YARDSTICK_MS);
}

/** Reads a text of 150,000 characters twenty times, as readers do: by expressions, into a map. */
function readYardstick(): void {
  for (let time = 0; time < 20; time += 1) {
    const counts = new Map<string, number>();
    for (const [word] of YARDSTICK.matchAll(/\w+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
