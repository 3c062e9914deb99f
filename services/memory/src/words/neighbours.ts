import { HOUR_MS } from '@kith/contracts';
import { TUNED } from './tuned.js';

// What was said around a memory is part of what it is about: "Biscuit!" answers the question before it. A term of a
// neighbour counts in a memory as a fraction of one of its own, as a field of BM25F (Zaragoza et al. 2004) does.

/** Pause after which people talk of something else. */
export const PAUSE_MS = 2 * HOUR_MS;

/** A memory as far as its neighbours matter. */
export interface SpokenMemory {
  id: string;
  conversation: string | null;
  saidAt: Date;
}

/** Finds the neighbours of each, with the share by which their terms count there. */
export function neighboursOf<S extends SpokenMemory>(spoken: readonly S[]) {
  const near = new Map<string, { of: S; share: number }[]>();
  for (const line of linesOf(spoken)) {
    line.forEach((each, at) => {
      near.set(each.id, [
        ...TUNED.before.flatMap((share, step) => reach(line, at, -(step + 1), share)),
        ...TUNED.after.flatMap((share, step) => reach(line, at, step + 1, share)),
      ]);
    });
  }
  return near;
}

/** Sorts what was said by conversation and time, and cuts each conversation at its pauses. */
function linesOf<S extends SpokenMemory>(spoken: readonly S[]): S[][] {
  const lines: S[][] = [];
  for (const [conversation, all] of Map.groupBy(spoken, (each) => each.conversation)) {
    if (conversation === null) continue;
    let line: S[] = [];
    for (const each of all.toSorted(inOrder)) {
      const last = line.at(-1);
      if (last && each.saidAt.getTime() - last.saidAt.getTime() > PAUSE_MS) {
        lines.push(line);
        line = [];
      }
      line.push(each);
    }
    lines.push(line);
  }
  return lines;
}

/** Compares by when they were said; at the same time, by their ids, which rise. */
export function inOrder(a: SpokenMemory, b: SpokenMemory): number {
  return a.saidAt.getTime() - b.saidAt.getTime() || (a.id < b.id ? -1 : 1);
}

function reach<S>(line: readonly S[], at: number, by: number, share: number): { of: S; share: number }[] {
  const of = line[at + by];
  return of === undefined ? [] : [{ of, share }];
}
