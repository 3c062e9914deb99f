import { describe, expect, it } from '@jest/globals';
import type { ServerFrame, TurnView } from '@kith/contracts';
import { reduceChat, type ChatAction } from './reduce-chat.js';
import {
  EMPTY_CHAT,
  heldMessages,
  threadWith,
  unansweredMessages,
  unsettledMessages,
  type ChatState,
  type TranscriptPage,
} from './chat-thread.js';
import { companionSpokenToElsewhere } from './reduce-frame.js';

const AT = '2026-05-01T10:00:00.000Z';
const CONVERSATION = 'conversation-1';

const wrote = (messageId: string, companionId = 'mira', at = AT): ChatAction => ({
  type: 'wrote',
  companionId,
  messageId,
  text: `text of ${messageId}`,
  at,
});
const heard = (frame: ServerFrame): ChatAction => ({ type: 'frame', frame, at: AT });
const accepted = (messageId: string, conversationId = CONVERSATION): ChatAction =>
  heard({ type: 'accepted', conversationId, messageId });
const began = (turnId: string, ids?: { conversationId: string; messageIds: string[] }): ChatAction =>
  heard({ type: 'turn', turnId, recalled: [], mood: null, degraded: [], ...ids });
const token = (turnId: string, text: string): ChatAction => heard({ type: 'token', turnId, text });
const ended = (turnId: string, changes: Partial<TurnView> = {}): ChatAction =>
  heard({ type: 'done', turn: turnView(turnId, changes) });
const refused = (messageId?: string, status = 400): ChatAction =>
  heard({
    type: 'error',
    problem: { type: 'about:blank', title: 'No', status, detail: 'not so', code: 'any' },
    ...(messageId === undefined ? {} : { messageId }),
  });

function turnView(turnId: string, changes: Partial<TurnView> = {}): TurnView {
  return {
    turnId,
    conversationId: CONVERSATION,
    companionId: 'mira',
    outcome: 'answered',
    reason: null,
    reply: 'hello you',
    model: 'rehearsal',
    rehearsal: true,
    degraded: [],
    recalled: [],
    mood: null,
    tookMs: 5,
    ...changes,
  };
}

function page(ids: string[], nextCursor: string | null): TranscriptPage {
  return {
    conversation: {
      id: CONVERSATION,
      companionId: 'mira',
      door: 'http',
      name: 'main',
      kind: 'direct',
      lastMessageAt: AT,
    },
    messages: ids.map((id) => ({ id, turnId: `turn-${id}`, role: 'person', name: 'Sam', text: id, at: AT })),
    nextCursor,
  };
}

const loaded = (ids: string[], nextCursor: string | null, older = false): ChatAction => ({
  type: 'history-loaded',
  companionId: 'mira',
  page: page(ids, nextCursor),
  older,
});

const after = (...actions: ChatAction[]): ChatState => actions.reduce(reduceChat, EMPTY_CHAT);
const liveOf = (state: ChatState): string[] =>
  threadWith(state, 'mira').live.map((item) =>
    item.kind === 'own' ? `${item.messageId}:${item.state}` : `${item.turnId}:${item.state}:${item.text}`,
  );

describe('the chat', () => {
  it('follows a message from sending to answered while its reply streams in', () => {
    const steps = [
      wrote('m1'),
      accepted('m1'),
      began('t1'),
      token('t1', 'hello '),
      token('t1', 'y'),
      ended('t1'),
    ];
    const seen = steps.map((_, index) => liveOf(after(...steps.slice(0, index + 1))));
    expect(seen).toEqual([
      ['m1:sending'],
      ['m1:accepted'],
      ['m1:accepted', 't1:thinking:'],
      ['m1:accepted', 't1:writing:hello '],
      ['m1:accepted', 't1:writing:hello y'],
      ['m1:answered', 't1:done:hello you'],
    ]);
  });

  it('throws away what was streamed when another model starts over', () => {
    const restart = heard({ type: 'restart', turnId: 't1' });
    const state = after(
      wrote('m1'),
      accepted('m1'),
      began('t1'),
      token('t1', 'bad'),
      restart,
      token('t1', 'good'),
    );
    expect(liveOf(state)).toEqual(['m1:accepted', 't1:writing:good']);
  });

  it('settles only the messages a turn names, so that one written meanwhile waits for its own', () => {
    const state = after(
      wrote('m1'),
      accepted('m1'),
      wrote('m2'),
      accepted('m2'),
      began('t1', { conversationId: CONVERSATION, messageIds: ['m1'] }),
      ended('t1', { messageIds: ['m1'] }),
    );
    expect(liveOf(state)).toEqual(['m1:answered', 'm2:accepted', 't1:done:hello you']);
  });

  it('shows a reply once when a turn is announced or ended twice', () => {
    const state = after(wrote('m1'), accepted('m1'), began('t1'), began('t1'), ended('t1'), ended('t1'));
    expect(liveOf(state)).toEqual(['m1:answered', 't1:done:hello you']);
  });

  it('drops the half of a turn that broke off when its message is answered by another', () => {
    const ids = { conversationId: CONVERSATION, messageIds: ['m1'] };
    const broken = [wrote('m1'), accepted('m1'), began('t1', ids), token('t1', 'Mm')];
    expect(liveOf(after(...broken, began('t2', ids)))).toEqual(['m1:accepted', 't2:thinking:']);
    expect(liveOf(after(...broken, ended('t2', ids)))).toEqual(['m1:answered', 't2:done:hello you']);
  });

  it('tells a turn that could not be read from one that was not asked for, until it is read', () => {
    const failed: ChatAction = { type: 'turn-failed', turnId: 't1' };
    expect(after(failed).turns).toEqual({ t1: null });
    expect(after(failed, { type: 'turn-loaded', turn: turnView('t1') }).turns['t1']).not.toBeNull();
  });

  it('ignores tokens that come after the end', () => {
    expect(liveOf(after(wrote('m1'), accepted('m1'), began('t1'), ended('t1'), token('t1', '!')))).toEqual([
      'm1:answered',
      't1:done:hello you',
    ]);
  });

  it('ignores turns of conversations that it does not show', () => {
    const elsewhere = { conversationId: 'conversation-2', messageIds: ['x'] };
    const state = after(
      wrote('m1'),
      accepted('m1'),
      began('t2', elsewhere),
      token('t2', 'psst'),
      ended('t2', elsewhere),
    );
    expect(liveOf(state)).toEqual(['m1:accepted']);
  });

  it('keeps the turns of two companions apart', () => {
    const other = { conversationId: 'conversation-2', messageIds: ['m2'] };
    const state = after(
      wrote('m1'),
      wrote('m2', 'tomas'),
      accepted('m1'),
      accepted('m2', 'conversation-2'),
      began('t2', other),
      ended('t2', { ...other, companionId: 'tomas' }),
    );
    expect(liveOf(state)).toEqual(['m1:accepted']);
    expect(threadWith(state, 'tomas').live).toHaveLength(2);
  });

  it('keeps the outcome of a turn that ended in silence', () => {
    const state = after(
      wrote('m1'),
      accepted('m1'),
      ended('t1', { outcome: 'silent', reply: null, reason: 'quiet' }),
    );
    expect(liveOf(state)).toEqual(['m1:answered', 't1:done:']);
    expect(state.turns['t1']?.reason).toBe('quiet');
  });

  it('marks a refused message with the reason, and lets it be sent again under the same id', () => {
    const state = after(wrote('m1'), refused('m1'));
    expect(threadWith(state, 'mira').live[0]).toMatchObject({ state: 'refused', problem: 'not so' });
    expect(unsettledMessages(state)).toEqual([]);
    const again = reduceChat(state, { type: 'retried', messageId: 'm1' });
    expect(unsettledMessages(again).map(({ message }) => message.messageId)).toEqual(['m1']);
  });

  it.each([429, 503])('holds a message that meets a %i, to be sent again until it is taken', (status) => {
    const state = after(wrote('m1'), refused('m1', status));
    expect(heldMessages(state)).toMatchObject([{ message: { messageId: 'm1', problem: 'not so' } }]);
    expect(liveOf(state)).toEqual(['m1:sending']);
    expect(heldMessages(reduceChat(state, accepted('m1')))).toEqual([]);
  });

  it('keeps a refused message over a reload, until it is discarded', () => {
    const state = after(wrote('m1'), refused('m1'));
    expect(unansweredMessages(state)).toHaveLength(1);
    const restored = after({ ...wrote('m1'), refusal: 'not so' } as ChatAction);
    expect(restored).toEqual(state);
    expect(liveOf(reduceChat(restored, { type: 'discarded', messageId: 'm1' }))).toEqual([]);
  });

  it('takes a refusal that names no message for the first one that was not accepted', () => {
    const state = after(wrote('m1'), accepted('m1'), wrote('m2'), refused());
    expect(liveOf(state)).toEqual(['m1:accepted', 'm2:refused']);
  });
});

describe('a reply that is late', () => {
  it('leaves the message to be sent again, under its id', () => {
    expect(liveOf(after(wrote('m1'), accepted('m1'), refused('m1', 503)))).toEqual(['m1:refused']);
  });

  it('leaves with the transcript once that tells the message', () => {
    const told = page(['1'], null);
    told.messages[0]!.messageId = 'm1';
    const state = after(wrote('m1'), accepted('m1'), refused('m1', 503), {
      ...{ type: 'history-loaded', companionId: 'mira', older: false },
      page: told,
    });
    expect(liveOf(state)).toEqual([]);
  });
});

describe('a lost connection', () => {
  it('puts unanswered messages back to sending, in order, and drops half a reply', () => {
    const state = after(
      wrote('m1'),
      accepted('m1'),
      began('t1'),
      token('t1', 'hel'),
      wrote('m2', 'mira', '2026-05-01T10:00:01.000Z'),
      { type: 'disconnected' },
    );
    expect(liveOf(state)).toEqual(['m1:sending', 'm2:sending']);
    expect(unsettledMessages(state).map(({ message }) => message.messageId)).toEqual(['m1', 'm2']);
  });

  it('keeps what has been answered', () => {
    const state = after(wrote('m1'), accepted('m1'), ended('t1'), { type: 'disconnected' });
    expect(liveOf(state)).toEqual(['m1:answered', 't1:done:hello you']);
  });

  it('ends with one reply when the message is sent again', () => {
    const state = after(
      wrote('m1'),
      accepted('m1'),
      began('t1'),
      { type: 'disconnected' },
      accepted('m1'),
      ended('t1'),
    );
    expect(liveOf(state)).toEqual(['m1:answered', 't1:done:hello you']);
  });
});

describe('the kept transcript', () => {
  const ids = (state: ChatState): string[] => threadWith(state, 'mira').entries.map(({ id }) => id);

  it('grows upwards with older pages', () => {
    const state = after(loaded(['3', '4'], '3'), loaded(['1', '2'], null, true));
    expect(ids(state)).toEqual(['1', '2', '3', '4']);
    expect(threadWith(state, 'mira').olderCursor).toBeNull();
  });

  it('grows downwards with a newest page that reaches it, and still knows where older ones are', () => {
    const state = after(loaded(['2', '3'], '2'), loaded(['3', '4'], '3'));
    expect(ids(state)).toEqual(['2', '3', '4']);
    expect(threadWith(state, 'mira').olderCursor).toBe('2');
  });

  it('loses what a newest page has no more, and keeps what is older', () => {
    const state = after(loaded(['1', '2', '3', '4'], null), loaded(['2', '4', '5'], '2'));
    expect(ids(state)).toEqual(['1', '2', '4', '5']);
  });

  it('starts afresh from a newest page that leaves a gap', () => {
    const state = after(loaded(['1', '2'], null), loaded(['8', '9'], '8'));
    expect(ids(state)).toEqual(['8', '9']);
    expect(threadWith(state, 'mira').olderCursor).toBe('8');
  });

  it('is read again when messages turn out to be kept in another conversation', () => {
    const state = after(loaded(['1'], null), wrote('m1'), accepted('m1', 'conversation-2'));
    expect(threadWith(state, 'mira')).toMatchObject({
      conversationId: 'conversation-2',
      history: 'unloaded',
      entries: [],
    });
  });

  it('is read anew once something of it was forgotten, with what is under way in this tab alone', () => {
    const state = after(
      ...[loaded(['1', '2'], '1'), wrote('m1'), accepted('m1')],
      ...[began('t1', { conversationId: CONVERSATION, messageIds: ['m1'] }), ended('t1')],
      ...[wrote('m2'), refused('m2'), wrote('m3')],
      { type: 'history-started', companionId: 'mira', older: true },
      { type: 'talk-changed' },
    );
    expect(threadWith(state, 'mira')).toMatchObject({
      ...{ history: 'unloaded', entries: [], olderCursor: null, loadingOlder: false },
    });
    expect(liveOf(state)).toEqual(['m2:refused', 'm3:sending']);
    expect(state.turns).toEqual({});
  });

  it('is asked for when a turn answers what was written elsewhere', () => {
    const state = after(loaded(['1'], null), wrote('m1'), accepted('m1'));
    expect(companionSpokenToElsewhere(state, turnView('t9', { messageIds: ['other'] }))).toBe('mira');
    expect(companionSpokenToElsewhere(state, turnView('t1', { messageIds: ['m1'] }))).toBeUndefined();
    expect(companionSpokenToElsewhere(state, turnView('t1', { conversationId: 'x' }))).toBeUndefined();
  });

  it('is asked for when the first words of all are said elsewhere', () => {
    const empty: ChatAction = { type: 'history-loaded', companionId: 'mira', page: null, older: false };
    expect(companionSpokenToElsewhere(after(empty), turnView('t1', { messageIds: ['other'] }))).toBe('mira');
    expect(companionSpokenToElsewhere(EMPTY_CHAT, turnView('t1'))).toBeUndefined();
  });
});
