import { setTimeout as sleep } from 'node:timers/promises';
import { memoryRoutes, type IndexState } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';

/** Often enough for a line of progress that moves; a quarter of the requests that a key has in a minute. */
const POLL_MS = 2_000;

/**
 * Orders a reindex and, unless told not to, shows how far it is until it is done.
 * @throws CliError when it ended and the index still differs from the memories
 */
export async function reindexMemories(
  { api, terminal }: CommandContext,
  { wait, json = false }: { wait: boolean; json?: boolean },
): Promise<void> {
  let state = await api.call(memoryRoutes.reindex);
  let told = '';
  while (wait && state.running) {
    const line = describeProgress(state);
    if (line !== told && !json) terminal.note(line);
    told = line;
    await sleep(POLL_MS);
    state = await api.call(memoryRoutes.index);
  }
  if (json) terminal.json(state);
  else terminal.line(describeIndex(state));
  if (wait && (state.indexed < state.memories || state.points !== state.indexed)) {
    throw new CliError('the index still differs: kith dead list says why, and it is tried again by itself');
  }
}

/** Words for how far a run is, in whole percents, so that each is printed once. */
export function describeProgress({ progress }: Pick<IndexState, 'progress'>): string {
  if (!progress || progress.total === 0) return 'comparing the index with the memories';
  const { done, total, perSecond } = progress;
  const percent = Math.floor((100 * done) / total);
  return `${percent} %: ${done} of ${total} written, ${Math.round(perSecond)} a second`;
}

export function describeIndex(state: IndexState): string {
  const { index, space, memories, indexed, points, next, running } = state;
  const held = points === null ? 'which is out of reach' : `which holds ${points}`;
  const now = `${indexed} of ${memories} memories are in the index (${index}, space ${space}), ${held}`;
  const follows = next ? `; space ${next.space} is being filled and holds ${next.points}` : '';
  return `${now}${follows}${running ? '; a reindex is on its way' : ''}`;
}
