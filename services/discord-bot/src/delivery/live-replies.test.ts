import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ChatEvent } from '@kith/contracts';
import { LIVE_PACE } from './live-pace.js';
import { LiveReplies } from './live-replies.js';

type Parts = ConstructorParameters<typeof LiveReplies>[0];

const CHANNEL = '42';

/** Awaits a reply in the channel, writes its first words, and lets three seconds pass. Returns what writes more. */
async function write(live: LiveReplies, tell: (event: ChatEvent) => void) {
  const [turnId, messageId] = [randomUUID(), randomUUID()];
  const ids = { personId: randomUUID(), conversationId: randomUUID() };
  live.await({ ...ids, channelId: CHANNEL, messageId, replyTo: null, named: null });
  tell({ type: 'turn', turnId, messageIds: [messageId], recalled: [], mood: null, degraded: [] });
  const say = async (text: string) => {
    tell({ type: 'token', turnId, text });
    await jest.advanceTimersByTimeAsync(3_000);
  };
  await say('Once upon a time there was a fox.');
  return say;
}

/** Broadcasts that nothing is heard of but what the test tells. */
function told() {
  const listeners: ((payload: unknown) => void)[] = [];
  const broadcasts = {
    subscribe: (_: string, listener: (payload: unknown) => void) => {
      listeners.push(listener);
      return Promise.resolve(() => Promise.resolve());
    },
  };
  const tell = (event: ChatEvent) => {
    for (const listener of listeners) listener({ event });
  };
  return { broadcasts, tell };
}

interface Note {
  messageIds: string[];
  startedAt?: Date;
  closedAt: Date | null;
  finalTexts: string[];
}

/** Notes of replies, and Discord, which takes each message that is sent. */
function showing(shown: string[], edited: string[], note: Note, onEdit: () => void) {
  const notes = {
    open: () => Promise.resolve({ startedAt: new Date(), ...note }),
    arrived: () => Promise.resolve(),
    read: () => Promise.resolve(note),
  };
  const api = {
    createMessage: (_: string, { content }: { content: string }) => {
      shown.push(content);
      return Promise.resolve('1');
    },
    editMessage: (_: string, id: string, content: string) => {
      edited.push(`${id}: ${content}`);
      onEdit();
      return Promise.resolve();
    },
  };
  return { notes, api };
}

/** Live replies, the events that tell of them, and what is shown. */
function shownReplies(noted: Partial<Note> = {}, onEdit = () => {}) {
  const { broadcasts, tell } = told();
  const [shown, edited]: [string[], string[]] = [[], []];
  const note: Note = { messageIds: [], closedAt: null, finalTexts: [], ...noted };
  const doubles = showing(shown, edited, note, onEdit);
  const parts = { broadcasts, ...doubles, pace: LIVE_PACE, logger: console };
  return { live: new LiveReplies(parts as unknown as Parts), tell, shown, edited, note };
}

it('ends the typing with the turn, whose end and delivery another process may hear of', () => {
  const { broadcasts, tell } = told();
  const ended: unknown[] = [];
  const typing = { turnEnded: (turn: unknown) => ended.push(turn) };
  const live = new LiveReplies({ broadcasts, typing, pace: LIVE_PACE, logger: console } as unknown as Parts);
  const ids = { personId: randomUUID(), conversationId: randomUUID() };
  live.await({ ...ids, channelId: CHANNEL, messageId: '7', replyTo: null, named: null });
  const turn = {
    turnId: randomUUID(),
    conversationId: ids.conversationId,
    companionId: 'mira',
    outcome: 'answered' as const,
    reason: null,
    reply: 'Hello.',
    model: null,
    rehearsal: true,
    degraded: [],
    recalled: [],
    mood: null,
  };
  const done = (messageId: string) =>
    tell({ type: 'done', turn: { ...turn, messageIds: [messageId], tookMs: 1 } });
  done('6');
  expect(ended).toEqual([]);
  done('7');
  expect(ended).toMatchObject([ids]);
});

describe('a reply whose end is never heard of', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is kept in memory for as long as a turn may take, and for no longer', async () => {
    const { live, tell, shown } = shownReplies();
    for (let count = 0; count < 3; count += 1) await write(live, tell);
    expect(shown).toHaveLength(3);
    await jest.advanceTimersByTimeAsync(160_000);
    expect(jest.getTimerCount()).toBe(1);
    await jest.advanceTimersByTimeAsync(20_000);
    // It looks for what to show while any reply is left.
    expect(jest.getTimerCount()).toBe(0);
    await write(live, tell);
    expect(shown).toHaveLength(4);
  });
});

describe('a reply in a channel where an earlier one is to be tried again', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is not shown before that try, and is when another process took it', async () => {
    const { live, tell, shown } = shownReplies();

    live.holdUp('a delivery', CHANNEL, 10_000);
    await write(live, tell);
    expect(shown).toEqual([]);
    // Nobody lets go of it here: its next try is another process's.
    await jest.advanceTimersByTimeAsync(60_000);
    await write(live, tell);
    expect(shown).toContain('Once upon a time there was a fox. …');
  });
});

describe('a reply that another process shows or delivers as well', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('goes on in the message that is there, with no second one', async () => {
    const { live, tell, shown, edited } = shownReplies({ messageIds: ['7'] });
    const say = await write(live, tell);
    await say(' It slept in the shade of an oak, all day long.');
    expect([shown, edited]).toEqual([
      [],
      ['7: Once upon a time there was a fox. It slept in the shade of an oak, all day long. …'],
    ]);
  });

  it('is not begun again where Discord may not know its nonce any more', async () => {
    const { live, tell, shown } = shownReplies({ startedAt: new Date(Date.now() - 10 * 60_000) });
    await write(live, tell);
    expect(shown).toEqual([]);
  });

  it('keeps its final text, also where an edit was under way when it got that', async () => {
    const closed = { closedAt: new Date(), finalTexts: ['The end.'] };
    const delivered = shownReplies({ messageIds: ['7'], ...closed });
    const more = await write(delivered.live, delivered.tell);
    await more(' It slept in the shade of an oak, all day long.');
    expect(delivered.edited).toEqual([]);

    const meanwhile = shownReplies({ messageIds: ['7'] }, () => void Object.assign(meanwhile.note, closed));
    const say = await write(meanwhile.live, meanwhile.tell);
    await say(' It slept in the shade of an oak, all day long.');
    await say(' In the evening it woke, and went to the river.');
    expect(meanwhile.edited).toEqual([
      '7: Once upon a time there was a fox. It slept in the shade of an oak, all day long. …',
      '7: The end.',
    ]);
  });
});
