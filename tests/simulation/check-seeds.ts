import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { loadPersonas, SHIPPED_FOLDER } from '../../services/personality/dist/persona/load-personas.js';
import { checkStories, type Breach } from './check-stories.ts';
import type { Person } from './people.ts';
import { simulate } from './simulate.ts';

export interface Seeds {
  people: readonly Person[];
  days: number;
  from: string;
  /** The first seed, and how many from there on. */
  seed: number;
  seeds: number;
}

export interface SeedResult {
  seed: number;
  breaches: Breach[];
}

/** More threads than these leave a machine nothing for anything else. */
const MAX_THREADS = 4;

/** Plays the same people by many seeds, a few at a time, and tells of each as it ends. */
export async function checkSeeds(work: Seeds, tell: (result: SeedResult) => void): Promise<void> {
  const threads = Math.min(availableParallelism(), MAX_THREADS, work.seeds);
  await Promise.all(
    Array.from({ length: threads }, async (_, first) => {
      const thread = new Worker(import.meta.filename, { workerData: { ...work, first, step: threads } });
      thread.on('message', tell);
      await once(thread, 'exit');
    }),
  );
}

async function playOwnSeeds(): Promise<void> {
  const { people, days, from, seed, seeds, first, step } = workerData as Seeds & {
    first: number;
    step: number;
  };
  const persona = (await loadPersonas([SHIPPED_FOLDER])).personas[0]!;
  for (let one = seed + first; one < seed + seeds; one += step) {
    const breaches = checkStories(simulate({ people, persona, days, seed: one, from }), days);
    parentPort!.postMessage({ seed: one, breaches } satisfies SeedResult);
  }
}

if (!isMainThread) await playOwnSeeds();
