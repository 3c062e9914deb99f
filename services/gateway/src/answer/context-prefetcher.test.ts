import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { LoreTexts, memoryContract, personalityContract } from '@kith/contracts';
import type { IncomingMessage } from '../inbox/accept-message.js';
import type { Claim } from '../inbox/claim.js';
import { answered } from '../e2e/talk.js';
import { contextQuestion } from './ask-context.js';
import { ContextPrefetcher } from './context-prefetcher.js';

const PROMPT_TOKENS = 6_000;
const place = { conversationId: randomUUID(), personId: randomUUID() };
const since = Date.parse('2026-06-01T12:00:00.000Z');
const timeOf = (n: number) => new Date(since + n * 60_000);
const line = (text: string, n: number) =>
  ({ id: BigInt(n), text, at: timeOf(n) }) as Claim['earlier'][number];

/** Somebody's words, as they are being accepted. */
function message(text: string, changes: Partial<IncomingMessage> = {}): IncomingMessage {
  return {
    ...place,
    door: 'http',
    externalId: text,
    origin: 'message',
    text,
    target: null,
    sentAt: new Date(),
    ...changes,
  };
}

/** The claim of those words, after these lines. */
function claimOf(words: IncomingMessage, earlier: string[], changes: Partial<Claim> = {}): Claim {
  const said = { ...words, quote: null, deleted: false, receivedAt: new Date() };
  return {
    ...place,
    companionId: 'mira',
    audience: 'direct',
    kind: 'direct',
    leaseToken: 1,
    poison: false,
    burst: [said],
    claimedAt: new Date(),
    changeCount: 3,
    epoch: null,
    kept: [],
    earlier: earlier.map(line),
    ...changes,
  } as unknown as Claim;
}

const questionOf = (claim: Claim, mood: number | undefined) =>
  contextQuestion({
    ...claim,
    said: claim.burst,
    toldSince: claim.earlier[0]?.at,
    mood,
    promptTokens: PROMPT_TOKENS,
  });

/** A talk whose last turn was taken here: "one" was answered with "hi Ann". */
function withTurn({ kind = 'direct', canAsk = true } = {}) {
  const asked: string[] = [];
  let mood = 0.2;
  const leaving = () => ({ ...answered(), mood: { pad: { p: mood, a: 0, d: 0 }, label: '', strength: '' } });
  const prefetcher = new ContextPrefetcher({
    messenger: {
      canAsk,
      ask: ({ pattern }: { pattern: string }) => {
        asked.push(pattern);
        return pattern === memoryContract.recall.pattern
          ? Promise.resolve({ memories: [] })
          : Promise.reject(new Error('away'));
      },
    } as never,
    clocks: { zoneOf: async () => null },
    states: { lacks: () => false, leave: () => undefined },
    promptTokens: () => PROMPT_TOKENS,
  });
  const first = claimOf(message('one'), ['zero'], { kind } as Partial<Claim>);
  prefetcher.note(first, { ...leaving(), toldFrom: 0n });
  const take = (claim: Claim, now = new Date()) => prefetcher.take(claim, questionOf(claim, mood), now);
  const feel = (next: number) => {
    mood = next;
    prefetcher.note(claimOf(message('there'), [], { conversationId: randomUUID() }), leaving());
  };
  return { prefetcher, asked, take, feel };
}

const BEFORE = ['zero', 'one', 'hi Ann'];

describe('ContextPrefetcher', () => {
  it('asks once for the turn of a message that is being accepted, where the talk goes on', async () => {
    const { prefetcher, asked, take } = withTurn();
    prefetcher.begin(message('two'));
    const claim = claimOf(message('two'), BEFORE);
    expect(await take(claim)).toEqual({ persona: null, recall: { memories: [] }, timeZone: null });
    expect(asked.toSorted()).toEqual(
      [personalityContract.compose.pattern, memoryContract.recall.pattern].toSorted(),
    );
    expect(take(claim)).toBeNull();
  });

  it('asks anew where the turn asks something else, or something was changed or forgotten since', () => {
    const taken = (
      claim: Claim,
      now?: Date,
      before: (talk: ReturnType<typeof withTurn>) => void = () => undefined,
    ) => {
      const talk = withTurn();
      talk.prefetcher.begin(message('two'));
      before(talk);
      return talk.take(claim, now) !== null;
    };
    const two = claimOf(message('two'), BEFORE);
    expect(taken(two)).toBe(true);
    expect(taken(claimOf(message('two'), BEFORE, { changeCount: 4 }))).toBe(false);
    expect(taken(claimOf(message('too'), BEFORE))).toBe(false);
    expect(taken(claimOf(message('two'), [...BEFORE, 'somebody else']))).toBe(false);
    expect(taken(claimOf(message('two'), BEFORE, { audience: 'guild:1' }))).toBe(false);
    expect(taken(claimOf(message('two'), BEFORE, { companionId: 'nox' }))).toBe(false);
    const begunLater = two.earlier.map((each) => ({ ...each, at: timeOf(1) }));
    expect(taken(claimOf(message('two'), BEFORE, { earlier: begunLater }))).toBe(false);
    expect(taken(two, new Date(Date.now() + 60_000))).toBe(false);
    expect(taken(two, undefined, ({ feel }) => feel(-0.4))).toBe(false);
    expect(taken(two, undefined, ({ prefetcher }) => prefetcher.drop(place))).toBe(false);
    expect(taken(two, undefined, ({ prefetcher }) => prefetcher.forget(place.personId))).toBe(false);
  });

  it('knows since when the next prompt tells the talk, from where the last one began to', () => {
    const since = (earlier: string[], toldFrom: bigint | undefined, changeCount = 3) => {
      const { prefetcher } = withTurn();
      const sentAt = timeOf(8);
      const turn = { ...answered(), ...(toldFrom !== undefined && { toldFrom }), endedAt: timeOf(9) };
      prefetcher.note(claimOf(message('one', { sentAt }), earlier), turn);
      return prefetcher.toldSince(claimOf(message('two'), [], { changeCount }));
    };
    expect(since(['a', 'b'], 0n)).toEqual(timeOf(0));
    expect(since([], undefined)).toEqual(timeOf(8));
    // The oldest quarter of what is told may find no room the next time.
    expect(since(['a', 'b', 'c', 'd', 'e', 'f', 'g'], 1n)).toEqual(timeOf(3));
    // None of it found room, or something was forgotten meanwhile.
    expect(since(['a', 'b'], undefined)).toBeUndefined();
    expect(since(['a', 'b'], 0n, 4)).toBeUndefined();
    const other = claimOf(message('two'), [], { personId: randomUUID() });
    expect(withTurn().prefetcher.toldSince(other)).toBeUndefined();
  });

  it('knows how a companion felt with somebody, in a channel too, and forgets it with them', () => {
    const { prefetcher, feel } = withTurn({ kind: 'channel' });
    const pair = { companionId: 'mira', personId: place.personId };
    expect(prefetcher.moodWith(pair)).toBe(0.2);
    feel(-3);
    expect(prefetcher.moodWith(pair)).toBe(-1);
    expect(prefetcher.moodWith({ ...pair, personId: randomUUID() })).toBeUndefined();
    prefetcher.forget(place.personId);
    expect(prefetcher.moodWith(pair)).toBeUndefined();
  });

  it('begins nothing where no turn is known, or for what nobody said', async () => {
    const asks = async (talk: ReturnType<typeof withTurn>, said: IncomingMessage) => {
      talk.prefetcher.begin(said);
      await new Promise(setImmediate);
      return talk.asked.length > 0;
    };
    expect(await asks(withTurn(), message('two'))).toBe(true);
    expect(await asks(withTurn(), message('two', { conversationId: randomUUID() }))).toBe(false);
    expect(await asks(withTurn(), message('two', { origin: 'outreach' }))).toBe(false);
    expect(await asks(withTurn({ kind: 'channel' }), message('two'))).toBe(false);
    expect(await asks(withTurn({ canAsk: false }), message('two'))).toBe(false);
  });
});

const questionFor = (said: IncomingMessage[], earlier: { text: string }[] = []) =>
  contextQuestion({
    said,
    earlier,
    companionId: 'mira',
    ...place,
    audience: 'direct',
    toldSince: undefined,
    mood: undefined,
    promptTokens: PROMPT_TOKENS,
  });

it('searches by the end of a long message, and by no half of a character', () => {
  const { query } = questionFor([message(`${'x'.repeat(2_000)}😀${'y'.repeat(1_999)}`)]);
  expect([query.length, query.isWellFormed()]).toEqual([2_000, true]);
});

it('calls up lore by all that was just said, and by what was said before', () => {
  const said = [message(`To the harbour! ${'x'.repeat(4_000)}`), message('Now.')];
  const { talk } = questionFor(said, [{ text: 'zero' }]);
  expect(talk).toEqual(['Now.', said[0]!.text, 'zero']);
  const many = Array.from({ length: 100 }, (_, n) => message(`${n} ${'x'.repeat(15_997)}😀`));
  const texts = questionFor(many, [{ text: 'zero' }]).talk;
  expect(LoreTexts.parse({ texts }).texts[0]).toMatch(/^99 /);
  expect(texts.every((text) => text.isWellFormed())).toBe(true);
});
