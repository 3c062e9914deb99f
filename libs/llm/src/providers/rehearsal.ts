import { createHash } from 'node:crypto';
import { estimateTokens } from '../estimate-tokens.js';
import type { ChatMessage, ModelEvent, ModelProvider, ModelRequest } from '../message.js';

/**
 * The offline stand-in: no model at all, but templates over what the prompt holds, so that recall, mood,
 * streaming and delivery can be seen and tested without a key. Deterministic in its messages. Its name is
 * `rehearsal` wherever a model is named, so that nobody takes it for one.
 */
export class Rehearsal implements ModelProvider {
  readonly name = 'rehearsal';

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const text = rehearse(request.messages);
    for (const word of text.split(/(?<=\s)/)) yield { type: 'text', text: word };
    const prompt = request.messages.map((message) => message.content).join('\n');
    yield {
      type: 'end',
      finishReason: 'stop',
      usage: { promptTokens: estimateTokens(prompt), completionTokens: estimateTokens(text) },
    };
  }
}

const OPENERS = {
  bright: ['Oh, I like that.', 'That makes me smile.', 'Good to hear from you!'],
  calm: ['I hear you.', 'Thank you for telling me.', 'Let me sit with that a moment.'],
  low: [
    'I am a little quiet today, but I am listening.',
    'Hm. I am with you.',
    'I hear you, even on a grey day.',
  ],
};
const QUESTIONS = [
  'Tell me more?',
  'How did that come about?',
  'What happens next?',
  'How do you feel about it now?',
];
const RECALLS = ['You told me: “%”', 'I remember you saying: “%”', 'Some time ago you said: “%”'];

/** The rehearsal's reply to a prompt. Pure. */
export function rehearse(messages: readonly ChatMessage[]): string {
  const pick = picker(messages);
  const users = messages.filter((message) => message.role === 'user').map((message) => message.content);
  const last = users.at(-1) ?? '';
  const reason = /<outreach>\s*You write first\. The reason: ([^\n]*)/.exec(last)?.[1];
  if (reason !== undefined)
    return `Hello! I said I would come back to this: ${reason.trim()} No hurry to answer.`;
  const mood = moodOf(messages);
  const memory = bestMemory(users, last);
  const middle = memory
    ? pick(RECALLS).replace('%', memory)
    : last.includes('?')
      ? 'I do not have anything of yours that answers this yet, so I would rather ask than guess.'
      : `You said: “${shorten(last)}” I will keep that in mind.`;
  return `${pick(OPENERS[mood])} ${middle} ${pick(QUESTIONS)}`;
}

function moodOf(messages: readonly ChatMessage[]): keyof typeof OPENERS {
  const system = messages.find((message) => message.role === 'system')?.content ?? '';
  const block = /<mood>([\s\S]*?)<\/mood>/.exec(system)?.[1]?.toLowerCase() ?? '';
  if (/bored|anxious|hostile|disdainful|low|sad/.test(block)) return 'low';
  return /exuberant|dependent|bright|cheerful|lively/.test(block) ? 'bright' : 'calm';
}

/** The recalled line that shares most words with what was said; null when none shares any. */
function bestMemory(users: readonly string[], last: string): string | null {
  const block = users.map((text) => /<memories>\n([\s\S]*?)\n<\/memories>/.exec(text)?.[1]).findLast(Boolean);
  const asked = wordsOf(last);
  let best: { text: string; shared: number } | null = null;
  for (const line of block?.split('\n') ?? []) {
    const text = line.replace(/^- \[[^\]]*\] /, '');
    const shared = [...wordsOf(text)].filter((word) => asked.has(word)).length;
    if (shared > (best?.shared ?? 0)) best = { text, shared };
  }
  return best && shorten(best.text);
}

const COMMON = new Set(
  'the and you your for was what when where who how are did does have has had with that this they them then about from will would could can not but out our his her she him its tell remember know'.split(
    ' ',
  ),
);

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)).map((word) => word.replace(/(ing|ed|s)$/, '')));
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 157)}…` : line;
}

function picker(messages: readonly ChatMessage[]) {
  const digest = createHash('sha256')
    .update(JSON.stringify(messages.slice(-3)))
    .digest();
  let next = 0;
  return (choices: readonly string[]): string => choices[digest[next++ % digest.length]! % choices.length]!;
}
