import type { TurnOrigin } from '@kith/contracts';
import type { ChatMessage, CountTokens, ImagePart } from '@kith/llm';
import type { TurnContext } from './compose-context.js';
import { cutSaid } from './cut-said.js';
import { counterFor, MESSAGE_TOKENS, type PromptBudget } from './prompt-budget.js';
import {
  askedBlock,
  coreBlock,
  taskBlock,
  jokeBlock,
  loreBlock,
  memoryBlock,
  personBlock,
  quoteBlock,
  type QuotedMessage,
  unsettledBlock,
  wishBlock,
} from './prompt-blocks.js';
import { CHANNEL_RULE, GROUND_RULES, ownAccord, PRIVATE_RULE, SILENCE_RULES } from './prompt-rules.js';
import type { Silence } from './read-silence.js';
import { snapshotBlock } from '../epochs/snapshot-block.js';
import { channelLine, neutral } from '../safety/prompt-text.js';
import type { EarlierMessage } from '../conversations/talk.js';
import { MAX_TAIL_LINES } from '../conversations/talk-reader.js';
import { timeInWords } from '../people/day-in-words.js';

export interface PromptInput {
  context: TurnContext;
  personName: string;
  /** Kind of conversation: in a channel each line carries its speaker's name. */
  kind: 'direct' | 'channel';
  /** Texts of this turn's messages, in order; for outreach, the reason. */
  said: readonly string[];
  /** Messages that those refer to. */
  quotes?: readonly QuotedMessage[];
  /** Outcomes of questions that the companion put to them about its tools. */
  outcomes?: readonly string[];
  /** Pictures sent with them, as far as they could be fetched. */
  pictures?: readonly ImagePart[];
  /** Number of older pictures that the prompt had no room for. */
  unseen?: number;
  origin: TurnOrigin;
  /** The person talks in private now. */
  isPrivate?: boolean;
  /** The person asks not to be written to first, or did so right before. */
  silence?: Silence;
  /** Lines that the operator's hooks add. */
  lines?: readonly string[];
  now: Date;
  budget: Pick<PromptBudget, 'limit' | 'max' | 'count' | 'exact' | 'pictureTokens'>;
}

export interface Prompt {
  messages: ChatMessage[];
  /** Tokens by part, for the trace. */
  tokens: {
    system: number;
    lore: number;
    memories: number;
    person: number;
    snapshot: number;
    earlier: number;
    said: number;
  };
  /** Oldest line that it shows verbatim; null: none. */
  from: bigint | null;
  /** Share of the room for talk that is taken: at 1 the epoch is about to end. */
  fullness: number;
  /** Tokens that there were for the talk: the snapshot and the lines since. */
  room: number;
  /** Tokens of the talk that is told, with those of the newest line that had no room. */
  talk: number;
  /** Talk was left out for lack of room, and a new epoch would make room. */
  isOver: boolean;
}

/** Share of the limit above which it is the talk that is too long, so that a new epoch would shorten the prompt. */
const TALK_SHARE = 0.38;
/** Bounds of the talk's share of a prompt, so that one unusual prompt does not set the size of a whole epoch. */
const MIN_TALK_SHARE = 0.4;
const MAX_TALK_SHARE = 0.7;
/** Share of the limit by which the next prompt may need more for all but the talk: a longer message, more memories. */
const MARGIN_SHARE = 0.03;

/**
 * Builds the message list of a turn: persona and mood as system, the transcript's end, recalled
 * memories as data on the person's side, and what was just said. Pure; cuts the oldest transcript first.
 */
export function assemblePrompt(input: PromptInput): Prompt {
  return fitTalk(wordParts(input), input.budget);
}

/** Parts of a prompt in words, before its talk is cut to the budget. */
interface PromptParts {
  /** Beginning of the system message that stays the same from turn to turn, so that hosts can cache it. */
  stablePart: string;
  changingPart: string;
  lore: string;
  memories: string;
  person: string;
  /** The person, lore, memories and all else that is told as data. */
  notes: string;
  said: string;
  pictures: readonly ImagePart[];
  snapshot: string;
  /** Lines of the talk since the snapshot, each with its id. */
  earlier: readonly EarlierMessage[];
  told: readonly PromptLine[];
}

/** Writes all parts of a prompt. */
function wordParts(input: PromptInput): PromptParts {
  const { context, origin, kind, personName, now, pictures = [] } = input;
  const person = personBlock(personName);
  const lore = loreBlock(context.lore, context.companion.name, personName);
  const memories = joined([
    coreBlock(context.core),
    taskBlock(context.tasks),
    wishBlock(context.wishes),
    jokeBlock(context.jokes),
    memoryBlock(context.passages, personName, now, context.timeZone),
    unsettledBlock(context.contradictions, now, context.timeZone),
  ]);
  return {
    stablePart: joined([context.personaBlock, GROUND_RULES], '\n\n'),
    changingPart: joined(
      [
        `It is ${timeInWords(now, context.timeZone)}. You are talking with one person${kind === 'channel' ? CHANNEL_RULE : ', alone.'}`,
        context.moodBlock,
        unseenLine(input.unseen ?? 0),
        // In a channel others would hear of it.
        origin === 'message' && kind === 'direct' && input.isPrivate ? PRIVATE_RULE : '',
        origin === 'message' && input.silence ? SILENCE_RULES[input.silence] : '',
        ...(input.lines ?? []),
      ],
      '\n\n',
    ),
    lore,
    memories,
    person,
    pictures,
    notes: joined([
      person,
      lore,
      memories,
      quoteBlock(input.quotes ?? [], context),
      askedBlock(input.outcomes ?? []),
    ]),
    said:
      origin === 'message'
        ? // Also where only two messages together would make a tag.
          neutral(input.said.map((text) => spoken(kind, personName, text)).join('\n'))
        : ownAccord(origin, input.said.join('\n')),
    snapshot: snapshotBlock(context.kept, context.companion.name, context.timeZone),
    earlier: context.earlier,
    told: context.earlier.map((line) => promptLine(kind, line)),
  };
}

/** Tells how many pictures are left out, so that the ones below are not taken for them. */
function unseenLine(unseen: number): string {
  if (unseen === 0) return '';
  const which = unseen === 1 ? 'The first picture' : `The first ${unseen} pictures`;
  return `${which} of those that were sent just now you can’t see: there was no room. Say so where it matters.`;
}

/** Joins the texts that are not empty. */
function joined(texts: readonly string[], separator = '\n'): string {
  return texts.filter(Boolean).join(separator);
}

/** Builds the messages from as many of the newest lines as the budget has room for. */
function fitTalk(parts: PromptParts, budget: PromptInput['budget']): Prompt {
  const { stablePart, changingPart, lore, memories, person, notes, pictures, snapshot, told } = parts;
  const system = `${stablePart}\n\n${changingPart}`;
  const seen = pictures.length * budget.pictureTokens;
  const count = counterFor([system, notes, parts.said, snapshot], told, seen, budget);
  const { limit } = budget;
  const tokens = {
    system: count(system),
    lore: lore ? count(lore) : 0,
    memories: memories ? count(memories) : 0,
    person: count(person),
    snapshot: count(snapshot),
    earlier: 0,
    said: 0,
  };
  const besides = tokens.system + count(notes);
  // The limit is for the talk: what is answered is cut only where the model does not hold it.
  const said = cutSaid(parts.said, budget.max - besides - seen - tokens.snapshot, limit, count);
  tokens.said = count(said) + seen;
  const room = limit - besides - tokens.said;
  const left = room - tokens.snapshot;
  const earlier = newestWithin(told, left, count);
  tokens.earlier = earlier.tokens;
  const isCut = earlier.messages.length < told.length || earlier.messages.length >= MAX_TAIL_LINES;
  // One long line takes the room of all that was said before it, however little is told after it.
  const talk = tokens.snapshot + earlier.tokens + earlier.leftOut;
  // A new epoch begins with the last turn at the latest, so it can't shorten that.
  const isOneTurn = parts.earlier[0]?.turnId === parts.earlier.at(-1)?.turnId;
  return {
    from: parts.earlier[told.length - earlier.messages.length]?.id ?? null,
    fullness: left <= 0 ? 1 : Math.min(1, (talk - tokens.snapshot) / left),
    room,
    talk,
    isOver: isCut && talk - (isOneTurn ? earlier.leftOut : 0) > limit * TALK_SHARE,
    messages: [
      {
        role: 'system',
        content: [
          { type: 'text', text: stablePart, stable: true },
          { type: 'text', text: `\n\n${changingPart}` },
        ],
      },
      ...(snapshot ? [{ role: 'user' as const, content: snapshot }] : []),
      ...earlier.messages,
      { role: 'user', content: notes },
      { role: 'user', content: pictures.length > 0 ? [{ type: 'text', text: said }, ...pictures] : said },
    ],
    tokens,
  };
}

/**
 * Tells whether the next prompt has hardly any room for the talk, and a new epoch would make some. Pure.
 * @param grown tokens that this turn adds to the talk
 * @param limit of the whole prompt, in tokens
 */
export function isNearlyOver({ talk, room }: Pick<Prompt, 'talk' | 'room'>, grown: number, limit: number) {
  return talk + grown > limit * TALK_SHARE && room - talk - grown < limit * MARGIN_SHARE;
}

/**
 * Works out how much of a prompt an epoch's talk may take.
 * @param room tokens that this turn's prompt has for it
 * @param limit of the whole prompt
 */
export function talkTokens(room: number, limit: number): number {
  return Math.max(limit * MIN_TALK_SHARE, Math.min(limit * MAX_TALK_SHARE, room));
}

/** Takes the newest lines that fit, with their tokens, and those of the line before them. */
function newestWithin(told: readonly PromptLine[], room: number, count: CountTokens) {
  const kept: PromptLine[] = [];
  let tokens = 0;
  let leftOut = 0;
  for (const message of told.toReversed()) {
    const cost = count(message.content, message) + MESSAGE_TOKENS;
    if (tokens + cost > room) {
      leftOut = cost;
      break;
    }
    tokens += cost;
    kept.push(message);
  }
  return { messages: kept.reverse(), tokens, leftOut };
}

/** Line of a talk as a prompt tells it. */
interface PromptLine {
  role: 'user' | 'assistant';
  content: string;
}

/** Lines of talks that go on, as prompts tell them. */
const KNOWN_LINES = {
  direct: new WeakMap<EarlierMessage, PromptLine>(),
  channel: new WeakMap<EarlierMessage, PromptLine>(),
};

/** Formats a line for a prompt. A line always gives the same object: later prompts reuse it. */
function promptLine(kind: 'direct' | 'channel', line: EarlierMessage): PromptLine {
  const known = KNOWN_LINES[kind].get(line);
  if (known) return known;
  const told: PromptLine = Object.freeze(
    line.role === 'companion'
      ? { role: 'assistant', content: line.text }
      : { role: 'user', content: spoken(kind, line.name, line.text) },
  );
  KNOWN_LINES[kind].set(line, told);
  return told;
}

function spoken(kind: 'direct' | 'channel', name: string, text: string): string {
  return kind === 'channel' ? channelLine(name, text) : neutral(text);
}
