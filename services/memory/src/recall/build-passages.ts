import { type Passage, lastOf } from '@kith/contracts';
import { estimateTokens } from '@kith/llm';
import { inOrder, PAUSE_MS } from '../words/neighbours.js';
import type { RecallRow } from '../rows/memory-row.js';
import { otherSpeaker } from '../rows/own-words.js';

/** A line as it may stand in a passage. */
export type PassageLine = Pick<
  RecallRow,
  'id' | 'text' | 'kind' | 'writer' | 'speaker' | 'saidAt' | 'conversation' | 'sources'
>;

/**
 * Share of the budget for what was found; the rest is for the lines beside it, which often hold the rest of the answer.
 * On LoCoMo, evidence is inside a block of 1,000 tokens as often for .6 as for .9.
 */
const FOUND_SHARE = 0.75;
/** Tokens of a speaker's name, the dash and the line's end. */
const TOKENS_A_LINE = 5;

/**
 * Makes the block of a prompt. As far as the budget goes it takes the lines that were found, best first, then what was
 * said right before and after them; it lists all in the order in which they were said. Pure.
 * @param found best first
 * @param beside the lines right before and after each found one, by its id
 * @param foundShare the share of the budget for what was found
 */
export function buildPassages<L extends PassageLine>(
  found: readonly L[],
  beside: ReadonlyMap<string, readonly L[]>,
  maxTokens: number,
  foundShare = FOUND_SHARE,
): Passage[] {
  const chosen = new Map<string, { line: L; isFound: boolean }>();
  let left = maxTokens;
  const choose = (line: L, isFound: boolean, within: number): void => {
    const tokens = estimateTokens(line.text) + TOKENS_A_LINE;
    if (chosen.has(line.id) || tokens > within) return;
    left -= tokens;
    chosen.set(line.id, { line, isFound });
  };
  const besideTokens = maxTokens * (1 - foundShare);
  for (const line of found) choose(line, true, left - besideTokens);
  for (const { id } of found) {
    if (chosen.has(id)) for (const near of beside.get(id) ?? []) choose(near, false, left);
  }
  for (const line of found) choose(line, true, left);
  return occasionsOf([...chosen.values()]).map((lines) => ({
    saidAt: lines[0].line.saidAt.toISOString(),
    lines: lines.map(({ line, isFound }) => ({
      id: line.id,
      speaker: otherSpeaker(line),
      text: line.text,
      sources: line.sources,
      isFound,
    })),
  }));
}

/** Groups lines of one conversation without a long pause between them, in their order; the oldest group first. */
function occasionsOf<C extends { line: PassageLine }>(chosen: readonly C[]): [C, ...C[]][] {
  const occasions: [C, ...C[]][] = [];
  const last = new Map<string, C[]>();
  for (const each of chosen.toSorted((a, b) => inOrder(a.line, b.line))) {
    const { conversation, saidAt } = each.line;
    const open = conversation === null ? undefined : last.get(conversation);
    if (open && saidAt.getTime() - lastOf(open).line.saidAt.getTime() <= PAUSE_MS) {
      open.push(each);
      continue;
    }
    const begun: [C] = [each];
    occasions.push(begun);
    if (conversation !== null) last.set(conversation, begun);
  }
  return occasions;
}
