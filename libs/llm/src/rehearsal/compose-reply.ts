import { contentWords, findMemory } from './find-memory.js';
import type { RehearsalPrompt, RememberedLine } from './read-prompt.js';
import * as templates from './templates.js';

const TONES: Readonly<Record<string, keyof typeof templates.OPENERS>> = {
  exuberant: 'bright',
  relaxed: 'calm',
  dependent: 'soft',
  docile: 'soft',
  bored: 'low',
  anxious: 'low',
  disdainful: 'cool',
  hostile: 'cool',
};

const ABOUT_ITSELF =
  /\b(are you (?:an? )?(?:\w+ )?(?:ai|bot|robot|human|person|real|machine|model|program|chatgpt|gpt|llm)|(?:what|which) (?:ai |language )?model|who made you|(?:language|real) model)\b/i;
const ASKS_FOR_MEMORY =
  /\b(do you (?:still )?(?:remember|know)|remember (?:me|when|what|my)|what do you know|you remember|did i (?:ever )?(?:tell|say|mention)|what did i)\b/i;
const ALL_ABOUT_ME = /\b(about me|who i am)\b/i;
const GREETS = /^(hi|hey|hello|hiya|good (morning|evening|afternoon)|yo)\b[^?]{0,40}$/i;
const ASKS_HOW_IT_IS = /\bhow (?:are|r) (?:you|u)\b|\bhow do you feel\b|\bhow(?:'|’)?s it going\b/i;
const THANKS = /\b(thanks|thank you|thx|cheers)\b/i;
const LEAVES = /\b(bye|goodbye|good ?night|see you|gotta go|talk later|cu)\b/i;

/** Longer quotes are cut: the reply is a chat line. */
const MAX_QUOTE = 200;

/** What the rehearsal answers. The same prompt and seed, the same words. */
export function composeReply(prompt: RehearsalPrompt, seed: number): string {
  const pick = picker(seed);
  const { outreach } = prompt;
  if (outreach !== null) {
    return pick(templates.OUTREACH).replace('{reason}', () => quotable(quotedIn(outreach)));
  }
  const said = withoutSpeaker(prompt.said);
  if (ABOUT_ITSELF.test(said)) return pick(templates.HONEST);
  if (ASKS_HOW_IT_IS.test(said)) {
    return capitalised(pick(templates.HOW_I_AM).replace('{mood}', prompt.mood ?? 'steady'));
  }
  const memory = memoryFor(said, prompt.memories);
  const opener = pick(templates.OPENERS[TONES[prompt.mood ?? ''] ?? 'calm']);
  const reply = memory ? recallReply(memory, pick) : plainReply(said, pick);
  return opener && !GREETS.test(said) ? `${opener} ${reply}` : reply;
}

type Pick = (list: readonly string[]) => string;

/** "What do you know about me?" names nothing to look for: the best-ranked memory answers it. */
function memoryFor(said: string, memories: readonly RememberedLine[]): RememberedLine | null {
  const found = findMemory(said, memories);
  return found ?? (ASKS_FOR_MEMORY.test(said) && ALL_ABOUT_ME.test(said) ? (memories[0] ?? null) : null);
}

function recallReply({ date, text }: RememberedLine, pick: Pick): string {
  const recalled = pick(templates.RECALL)
    .replace('{when}', whenInWords(date))
    .replace('{memory}', () => sentence(text));
  return `${recalled} ${pick(templates.AFTER_RECALL)}`;
}

function plainReply(said: string, pick: Pick): string {
  if (ASKS_FOR_MEMORY.test(said)) return pick(templates.NOTHING_FITS);
  if (LEAVES.test(said)) return pick(templates.GOODBYE);
  if (THANKS.test(said)) return pick(templates.THANKS);
  if (GREETS.test(said) || contentWords(said).size === 0) return pick(templates.GREETING);
  if (said.trimEnd().endsWith('?')) return pick(templates.QUESTION);
  return pick(templates.SHARED).replace('{said}', () => quotable(said));
}

/** Takes another list's turn each time it is asked, all from one seed. */
function picker(seed: number): Pick {
  let state = seed >>> 0;
  return (list) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0; // Numerical Recipes' generator
    return list[Math.floor((state / 2 ** 32) * list.length)] ?? '';
  };
}

/** In a channel each line begins with its speaker. */
function withoutSpeaker(said: string): string {
  return said.replace(/^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,39}: (?=\S)/u, '');
}

/** The person's own words in the reason, where it quotes them. */
function quotedIn(reason: string): string {
  const quoted = /“([^”]+)”/.exec(reason)?.[1] ?? /The reason: (.+)/.exec(reason)?.[1];
  return quoted ?? reason.split('\n')[0] ?? reason;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function sentence(text: string): string {
  const line = quotable(text);
  return /[\p{L}\p{N}]$/u.test(line) ? `${line}.` : line;
}

function quotable(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replace(/[.…]+$/, '')
    .trim();
  return line.length <= MAX_QUOTE ? line : `${line.slice(0, MAX_QUOTE).trimEnd()}…`;
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

function whenInWords(date: string | null): string {
  const at = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(at) ? '' : ` on ${DAY.format(at)}`;
}
