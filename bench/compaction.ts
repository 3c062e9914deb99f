// How much of whole conversations (LoCoMo) a prompt holds, or reaches by one call of a tool, at contexts of 4k, 8k and
// 32k tokens: with epochs, and as it was before them (the last 30 lines).
//   npm run bench:compaction -- FILE [--questions N] [--contexts 4096,8192]
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { firstOf, lastOf, memoryContract, type Passage, present } from '@kith/contracts';
import { Database, toJsonb } from '@kith/database';
import { estimateTokens, ModelCards, promptLimit } from '@kith/llm';
import { Messenger } from '@kith/messaging';
import { silentLogger } from '@kith/testing';
import { recallBoundsOf } from '../services/gateway/dist/answer/recall-bounds.js';
import { talkTokens } from '../services/gateway/dist/answer/assemble-prompt.js';
import type { Talk } from '../services/gateway/dist/conversations/talk.js';
import { TalkReader } from '../services/gateway/dist/conversations/talk-reader.js';
import { searchTalk } from '../services/gateway/dist/conversations/search-talk.js';
import { EpochKeeper } from '../services/gateway/dist/epochs/epoch-keeper.js';
import { findUnanswered, makeProbes } from '../services/gateway/dist/epochs/make-probes.js';
import { importConversation } from './import-conversation.ts';
import { readAllLocomo, type Conversation } from './locomo.ts';
import { answers } from './compaction/answers.ts';
import { nothing, tableOf, type Figures } from './compaction/figures.ts';
import { sum, writeResult } from './figures.ts';
import { orExit, readNumber } from './options.ts';
import { startOwnSuite } from './own-suite.ts';
import { plainPrompt } from './plain-prompt.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Questions of each conversation, evenly from all of them. */
    questions: { type: 'string', default: '60' },
    contexts: { type: 'string', default: '4096,8192,32768' },
  },
});
const perConversation = readNumber('questions', values.questions);
const all = await orExit(readAllLocomo(positionals[0], 'npm run bench:compaction -- FILE'));

const CONTEXTS = values.contexts.split(',').map((tokens) => readNumber('contexts', tokens));
/** Tokens of a reply, as the gateway leaves them free. */
const REPLY_TOKENS = 700;
/** Lines and tokens of a prompt before there were epochs, whatever the model held. */
const BEFORE = { lines: 30, tokens: 6_000 };
/** Passages of one search, as the tool tells them. */
const SEARCH_LIMIT = 6;
/** As `search_memory` asks. */
const SEARCH_MEMORY = { limit: 6, maxTokens: 500 };
/** Time for one recall: what is found is measured, on however busy a machine. */
const PATIENCE_MS = 60_000;
/** Lines of which probes are made at once, and how many: few enough that each mark has some. */
const PROBED_LINES = 40;
const PROBES = 48;

const suite = await startOwnSuite();
const messenger = new Messenger({ redisUrl: suite.stack.redis.url, service: 'bench', logger: silentLogger });
const database = new Database({ url: suite.stack.databaseUrl, poolSize: 3 });
const talks = new TalkReader();
const report = new Map<string, Figures>();
try {
  for (const conversation of all) {
    const personId = randomUUID();
    await importConversation(messenger, personId, conversation);
    const questions = chosen(conversation);
    const found: Awaited<ReturnType<typeof memoriesFor>>[] = [];
    for (const { question } of questions)
      found.push(await memoriesFor(personId, question, endOf(conversation), SEARCH_MEMORY));
    for (const context of CONTEXTS) {
      const card = new ModelCards({ bench: { contextTokens: context } }).of('bench');
      const limit = promptLimit(card, REPLY_TOKENS);
      const now = figuresOf(`${context}, epochs`);
      const bounds = recallBoundsOf(limit);
      const { passages } = await memoriesFor(personId, firstOf(questions).question, endOf(conversation), {
        limit: bounds.limit,
        maxTokens: bounds.tokens,
        passageTokens: bounds.tokens,
      });
      const place = await talkThrough(conversation, personId, { limit, passages }, now);
      const talk = await read(place);
      await probe(place, talk, now, true);
      await ask(conversation, { ...place, talk, limit, figures: now, questions, found });
      const last = talk.earlier.slice(-BEFORE.lines);
      const before = {
        talk: { epoch: null, kept: [], earlier: last },
        limit: BEFORE.tokens,
        questions,
        found,
      };
      if (context === 8_192) {
        const figures = figuresOf('6000, last 30 lines');
        await probe(place, before.talk, figures, false);
        await ask(conversation, { ...place, ...before, figures, isBefore: true });
      }
    }
    console.error(`${conversation.id}: ${conversation.turns.length} lines, ${questions.length} questions`);
  }
} finally {
  await database.close();
  await messenger.close();
  await suite[Symbol.asyncDispose]();
}
const table = tableOf(report);
console.table(table);
await writeResult('compaction', table);
process.exit(0);

function figuresOf(name: string): Figures {
  const figures = report.get(name) ?? nothing();
  report.set(name, figures);
  return figures;
}

function endOf({ turns }: Pick<Conversation, 'turns'>): Date {
  return new Date(lastOf(turns).at);
}

/** Picks questions evenly, those whose evidence is named. */
function chosen({ questions }: Conversation): Conversation['questions'] {
  const asked = questions.filter(
    ({ evidence, category }) => evidence.length > 0 && category !== 'adversarial',
  );
  const every = Math.max(1, asked.length / perConversation);
  return asked.filter((_, at) => Math.floor(at / every) !== Math.floor((at - 1) / every));
}

interface Place {
  conversationId: string;
  personId: string;
}

/** Plays a conversation, two lines a turn, and ends its epochs as the gateway does. */
async function talkThrough(
  { id, turns }: Conversation,
  personId: string,
  /** Passages as a turn has some: what they take is not the talk's. */
  { limit, passages }: { limit: number; passages: Passage[] },
  figures: Figures,
): Promise<Place> {
  const place = { conversationId: randomUUID(), personId, companionId: 'mira' };
  await database.asSystem(
    (tx) => tx.$executeRaw`
      INSERT INTO conversations (conversation_id, companion_id, door, external_id, kind, audience, person_id)
      VALUES (${place.conversationId}::uuid, 'mira', 'http', ${`${id} ${place.conversationId}`}, 'direct', 'direct',
        ${personId}::uuid)`,
  );
  const keeper = new EpochKeeper(database, talks);
  const [own] = turns;
  for (let at = 0; at < turns.length; at += 2) {
    const lines = turns
      .slice(at, at + 2)
      .map((turn) => ({
        role: turn.speaker === own?.speaker ? 'person' : 'companion',
        name: turn.speaker,
        external_id: turn.id,
        text: turn.said,
        at: turn.at,
      }));
    await database.asSystem(
      (tx) => tx.$executeRaw`
        INSERT INTO transcript (conversation_id, turn_id, person_id, role, name, external_id, text, at)
        SELECT ${place.conversationId}::uuid, ${randomUUID()}::uuid, ${personId}::uuid, role, name, external_id, text, at
        FROM jsonb_to_recordset(${toJsonb(lines)}::jsonb)
          AS line (role text, name text, external_id text, text text, at timestamptz)`,
    );
    const started = performance.now();
    const talk = await read(place);
    const prompt = promptOf(talk, limit, passages, lastOf(lines).text, new Date(lastOf(lines).at));
    if (prompt.isOver) {
      await keeper.reset({ ...place, epoch: talk.epoch }, talkTokens(prompt.room, limit), estimateTokens);
      figures.epochs += 1;
    }
    figures.turnMs.push(performance.now() - started);
  }
  return place;
}

function read(place: Place): Promise<Talk> {
  return database.read({ conversationId: place.conversationId }, (reader) => talks.read(reader, place));
}

function promptOf(talk: Talk, limit: number, passages: Passage[], said: string, now: Date) {
  return plainPrompt({ personaBlock: 'You are Mira. '.repeat(40), passages, ...talk }, { said, now, limit });
}

async function memoriesFor(
  personId: string,
  query: string,
  now: Date,
  room: { limit: number; maxTokens: number; passageTokens?: number },
) {
  const asked = { personId, companionId: 'mira', audience: 'direct', query, ...room, now: now.toISOString() };
  return messenger.ask(memoryContract.recall, { ...asked, countAsUse: false }, { timeoutMs: PATIENCE_MS });
}

/** Puts probes of the whole conversation to the prompt's talk, and to one search for what they are about. */
async function probe(place: Place, talk: Talk, figures: Figures, canSearch: boolean): Promise<void> {
  const source = await allLines(place);
  for (let from = 0; from < source.length; from += PROBED_LINES) {
    const probes = makeProbes(source.slice(from, from + PROBED_LINES), PROBES);
    const open = findUnanswered(probes, talk.kept, talk.earlier);
    figures.probes += probes.length;
    figures.probesHeld += probes.length - open.length;
    figures.probesReached += probes.length - open.length;
    if (!canSearch) continue;
    for (const { words, lineId } of open) {
      const speaker = source.find(({ id }) => id === lineId)?.name ?? '';
      // The answer itself is not asked for.
      const passages = await searchTalk(
        database,
        place,
        `${speaker} ${words.slice(1).join(' ')}`,
        SEARCH_LIMIT,
      );
      if (passages.flat().some(({ id }) => id === lineId)) figures.probesReached += 1;
    }
  }
}

async function allLines({ conversationId }: Place): Promise<Talk['earlier']> {
  return database.read(
    { conversationId },
    (reader) => reader.$queryRaw<Talk['earlier']>`
      SELECT id, role, name, text, at, turn_id AS "turnId", external_id AS "externalId" FROM transcript
      WHERE conversation_id = ${conversationId}::uuid ORDER BY id`,
  );
}

/** Asks the conversation's questions at its end, and looks whether their evidence is in the prompt or within reach. */
async function ask(
  { turns }: Conversation,
  asked: Place & {
    talk: Talk;
    limit: number;
    figures: Figures;
    questions: Conversation['questions'];
    found: Awaited<ReturnType<typeof memoriesFor>>[];
    isBefore?: boolean;
  },
): Promise<void> {
  const { talk, limit, figures, questions, found, isBefore = false, ...place } = asked;
  const bounds = recallBoundsOf(limit);
  const now = endOf({ turns });
  for (const [number, { question, answer, evidence }] of questions.entries()) {
    const room = { limit: bounds.limit, maxTokens: bounds.tokens, passageTokens: bounds.tokens };
    const { passages } = await memoriesFor(place.personId, question, now, room);
    const prompt = promptOf(talk, limit, passages, question, now);
    figures.tokens.push(sum(Object.values(prompt.tokens)));
    const told = new Set([
      ...passages.flatMap(({ lines }) => lines.flatMap(({ sources }) => sources)),
      ...talk.kept.filter((line) => answers(line, answer)).map(({ externalId }) => externalId),
      ...talk.earlier
        .filter(({ id }) => prompt.from !== null && id >= prompt.from)
        .map(({ externalId }) => externalId),
    ]);
    const open = evidence.filter((id) => !told.has(id));
    figures.evidence += evidence.length;
    figures.held += evidence.length - open.length;
    const passagesFound = isBefore ? [] : await searchTalk(database, place, question, SEARCH_LIMIT);
    const within = [
      new Set(present(found[number]).memories.flatMap(({ sources }) => sources)),
      new Set(passagesFound.flat().map(({ externalId }) => externalId)),
    ];
    const best = Math.max(...within.map((reach) => open.filter((id) => reach.has(id)).length));
    figures.reached += evidence.length - open.length + best;
  }
}
