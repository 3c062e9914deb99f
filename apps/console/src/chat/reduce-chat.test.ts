import { describe, expect, it } from '@jest/globals';
import {
  EMPTY_CHAT,
  linesToRead,
  messagesToSend,
  PAGE_SIZE,
  threadWith,
  unansweredMessages,
  openMessages,
  type ChatState,
} from './chat-thread.js';
import { toKeep } from './unsent.js';
import { reduceChat, type ChatAction } from './reduce-chat.js';
import { companionSpokenToElsewhere } from './reduce-frame.js';
import {
  accepted,
  after,
  began,
  CONVERSATION,
  ended,
  liveOf,
  loaded,
  reading,
  refused,
  sent,
  token,
  turnView,
  wrote,
} from './test-chat.js';

const RECONNECTED = { type: 'reconnected', openCompanionId: 'mira' } as const;

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
    expect(openMessages(state).map(({ message }) => message.messageId)).toEqual(['m1', 'm2']);
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

describe('a reload', () => {
  it('sends of what was held the first alone, with the others behind it, and what was on its way', () => {
    const before = after(
      wrote('m1'),
      sent('m1'),
      refused('m1', 503),
      wrote('m2', 'mira', '2026-05-01T10:00:01.000Z'),
      wrote('m3', 'tomas', '2026-05-01T10:00:02.000Z'),
      sent('m3'),
    );
    const restored = after(
      ...unansweredMessages(before).map((one): ChatAction => ({ type: 'wrote', ...toKeep(one) })),
    );
    expect(restored).toEqual(reduceChat(before, { type: 'disconnected' }));
    const due = messagesToSend(restored).map(({ message }) => message.messageId);
    expect(due).toEqual(['m1', 'm3']);
    const next = messagesToSend(reduceChat(reduceChat(restored, sent('m3')), accepted('m1')));
    expect(next).toMatchObject([{ message: { messageId: 'm2' } }]);
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

  it('takes of newest pages that were asked for at once the last, whichever comes first', () => {
    const begun = [1, 2].map((number): ChatAction => ({ type: 'history-started', ...reading(number) }));
    const last = after(...begun, loaded(['1', '2'], null, false, 2));
    const late: ChatAction[] = [loaded(['1'], null), { type: 'history-failed', ...reading(1) }];
    for (const earlier of late) expect(reduceChat(last, earlier)).toEqual(last);
  });

  it('says where older ones could not be read, until they are', () => {
    const failed = after(
      loaded(['3'], '3'),
      { type: 'history-started', ...reading(2, true) },
      { type: 'history-failed', ...reading(2, true) },
    );
    expect(threadWith(failed, 'mira')).toMatchObject({
      history: 'loaded',
      older: 'failed',
      olderCursor: '3',
    });
    const read = reduceChat(failed, loaded(['2'], null, true));
    expect(threadWith(read, 'mira')).toMatchObject({ older: 'unread', olderCursor: null });
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
      loaded(['1', '2'], '1'),
      wrote('m1'),
      accepted('m1'),
      began('t1', { conversationId: CONVERSATION, messageIds: ['m1'] }),
      ended('t1'),
      wrote('m2'),
      refused('m2'),
      wrote('m3'),
      { type: 'history-started', ...reading(2, true) },
      { type: 'talk-changed' },
    );
    expect(threadWith(state, 'mira')).toMatchObject({
      history: 'unloaded',
      entries: [],
      olderCursor: null,
      older: 'unread',
    });
    expect(liveOf(state)).toEqual(['m2:refused', 'm3:sending']);
    expect(state.turns).toEqual({});
  });

  it('is read as far as it was shown, with what was said on this page', () => {
    const state = after(loaded(['1', '2'], '1'), wrote('m1'), accepted('m1'), ended('t1'), RECONNECTED);
    expect(linesToRead(threadWith(state, 'mira'))).toBe(4);
    expect(threadWith(state, 'mira')).toMatchObject({ olderCursor: null, stale: { olderCursor: '1' } });
  });

  it('comes with the older page that was under way when the connection was lost', () => {
    const asked: ChatAction[] = [loaded(['3', '4'], '3'), { type: 'history-started', ...reading(2, true) }];
    const again = after(...asked, RECONNECTED, RECONNECTED);
    expect(threadWith(again, 'mira')).toMatchObject({ older: 'loading', stale: { olderCursor: '3' } });
    expect(linesToRead(threadWith(again, 'mira'))).toBe(2 + PAGE_SIZE);
    const read = reduceChat(again, loaded(['1', '2', '3', '4'], null, false, 3));
    expect(threadWith(read, 'mira')).toMatchObject({ older: 'unread', olderCursor: null, stale: null });
    expect(ids(read)).toEqual(['1', '2', '3', '4']);
    const failed = reduceChat(again, { type: 'history-failed', ...reading(3) });
    expect(threadWith(failed, 'mira')).toMatchObject({ history: 'failed', older: 'unread' });
  });

  it('is shown no more after a reconnect where it is not open: of that, too, something may be forgotten', () => {
    const state = after(loaded(['1'], null), { ...RECONNECTED, openCompanionId: 'tomas' });
    expect(threadWith(state, 'mira')).toMatchObject({ history: 'unloaded', stale: null });
    const left = after(loaded(['1'], null), RECONNECTED, { ...RECONNECTED, openCompanionId: 'tomas' });
    expect(threadWith(left, 'mira').stale).toBeNull();
  });

  it('is asked for when a turn answers what was written elsewhere', () => {
    const state = after(loaded(['1'], null), wrote('m1'), accepted('m1'));
    expect(companionSpokenToElsewhere(state, turnView('t9', { messageIds: ['other'] }))).toBe('mira');
    expect(companionSpokenToElsewhere(state, turnView('t1', { messageIds: ['m1'] }))).toBeUndefined();
    expect(companionSpokenToElsewhere(state, turnView('t1', { messageIds: ['m1', 'other'] }))).toBe('mira');
    expect(companionSpokenToElsewhere(state, turnView('t1', { conversationId: 'x' }))).toBeUndefined();
  });

  it('is asked for when a turn answers what was refused here, because it took too long', () => {
    const ids = { conversationId: CONVERSATION, messageIds: ['m1'] };
    const late = [wrote('m1'), accepted('m1'), began('t1', ids), token('t1', 'Mm'), refused('m1', 503)];
    const state = after(loaded(['1'], null), ...late);
    expect(companionSpokenToElsewhere(state, turnView('t1', { messageIds: ['m1'] }))).toBe('mira');
  });

  it('is asked for when the first words of all are said elsewhere', () => {
    const begun: ChatAction = { type: 'history-started', ...reading(1) };
    const empty: ChatAction = { type: 'history-loaded', ...reading(1), page: null };
    // Also where they come while the page is read: its answer may be from before them.
    for (const state of [after(begun), after(begun, empty)])
      expect(companionSpokenToElsewhere(state, turnView('t1', { messageIds: ['other'] }))).toBe('mira');
    expect(companionSpokenToElsewhere(EMPTY_CHAT, turnView('t1'))).toBeUndefined();
  });
});
