import type { ModelRole } from '@kith/llm';
import { findGuilt } from '../safety/find-guilt.js';
import { think, type Question, type Thought } from './think.js';

/** Message that a companion wrote of its own accord, or why it rather keeps silent. */
export interface OutreachDraft {
  thought: Thought;
  /** Reason for silence; null when there is something to say, or no model to say it. */
  silence: 'guilt' | null;
}

/** Listener that does nothing: nobody sees a word of outreach before it is done. */
export const UNSEEN = { onToken: () => undefined, onRestart: () => undefined };

/**
 * Lets a model write a message that nobody waits for. One that presses the person, with guilt, pleading or
 * loneliness, is written once more, without tools and where the turn's means allow, and then not at all. No token is
 * told before it has been read.
 * @throws what `signal` was aborted with
 */
export async function writeOutreach(
  role: ModelRole,
  question: Question,
  signal: AbortSignal,
): Promise<OutreachDraft> {
  const first = await think(role, question, signal, UNSEEN);
  const guilt = first.text === null ? null : findGuilt(first.text);
  if (first.text === null || guilt === null) return { thought: first, silence: null };
  if (isSpent(first, question.limits)) return { thought: { ...first, text: null }, silence: 'guilt' };
  const messages: Question['messages'] = [
    ...question.messages,
    { role: 'assistant', content: first.text },
    {
      role: 'user',
      content: `<outreach>\nNot like this: “${guilt.words}” puts pressure on them (${guilt.kind}). Write the message anew, about the reason alone, without a word of how you feel about their silence.\n</outreach>`,
    },
  ];
  // What tools were to do was done for the first one.
  const again = await think(role, { ...question, messages, definitions: [] }, signal, UNSEEN);
  const thought = bothOf(first, again);
  if (thought.text === null || findGuilt(thought.text) === null) return { thought, silence: null };
  return { thought: { ...thought, text: null }, silence: 'guilt' };
}

/** Tells whether an answer took all that its turn may take. */
function isSpent({ tokens, cost }: Thought, { maxTokens, maxCost }: Question['limits']): boolean {
  return tokens >= maxTokens || (maxCost > 0 && cost >= maxCost);
}

/** Returns the second answer, with the cost of both. */
function bothOf(first: Thought, again: Thought): Thought {
  return {
    ...again,
    tokens: first.tokens + again.tokens,
    cost: first.cost + again.cost,
    tries: [...first.tries, ...again.tries],
    tools: [...first.tools, ...again.tools],
    firstTokenMs: first.firstTokenMs,
  };
}
