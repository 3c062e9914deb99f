import { readFile } from 'node:fs/promises';
import { parseLocomo, type Conversation } from '../locomo.ts';
import { readBeam, toConversation } from './beam.ts';

/** Conversations of one manner of talk, with what is asked of them. */
export interface MeasuredSet {
  name: string;
  conversations: Conversation[];
}

/** Questions that nothing said answers: of LoCoMo those that ask one about what the other did. */
export const UNANSWERABLE = new Set(['adversarial', 'abstention']);

/**
 * Reads files of LoCoMo and of BEAM, whichever they are.
 * @throws Error that says what to do, for a path that is missing or a file that is something else
 */
export async function readMeasuredSets(paths: readonly string[], usage: string): Promise<MeasuredSet[]> {
  if (paths.length === 0) throw new Error(`usage: ${usage}, FILE of LoCoMo or of BEAM, any number of them`);
  const sets: MeasuredSet[] = [];
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch(() => {
      throw new Error(`${path} can't be read: give the path of a file, such as locomo-5.json`);
    });
    const parsed: unknown = JSON.parse(text);
    const beam = readBeam(parsed);
    if (!beam) {
      sets.push({ name: 'LoCoMo', conversations: parseLocomo(parsed, path) });
      continue;
    }
    const of = (roles: readonly string[]) => beam.map((each) => toConversation(each, roles));
    sets.push(
      { name: "BEAM, the person's", conversations: of(['user']) },
      { name: 'BEAM, all', conversations: of(['user', 'assistant']) },
    );
  }
  return sets;
}
