import { describe, expect, it } from '@jest/globals';
import {
  type ChatState,
  heldMessages,
  messagesToSend,
  threadWith,
  unansweredMessages,
  openMessages,
  type WrittenMessage,
} from './chat-thread.js';
import { toKeep } from './unsent.js';
import { reduceChat, type ChatAction } from './reduce-chat.js';
import {
  accepted,
  after,
  began,
  CONVERSATION,
  ended,
  heard,
  liveOf,
  page,
  refused,
  sent,
  token,
  turnView,
  wrote,
} from './test-chat.js';
import { visibleItems } from './visible-items.js';

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

  it('throws away what was streamed when the reply begins anew', () => {
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
    expect(openMessages(state)).toEqual([]);
    const again = reduceChat(state, { type: 'retried', messageId: 'm1' });
    expect(openMessages(again).map(({ message }) => message.messageId)).toEqual(['m1']);
  });

  it.each([429, 503])('holds a message that meets a %i, to be sent again until it is taken', (status) => {
    const state = after(wrote('m1'), refused('m1', status));
    expect(heldMessages(state)).toMatchObject([{ message: { messageId: 'm1', problem: 'not so' } }]);
    expect(liveOf(state)).toEqual(['m1:sending']);
    expect(heldMessages(reduceChat(state, accepted('m1')))).toEqual([]);
    expect(liveOf(reduceChat(state, { type: 'discarded', messageId: 'm1' }))).toEqual([]);
  });

  it('holds what is written after a held message, and lets it follow one by one', () => {
    const idsOf = (written: WrittenMessage[]): string[] => written.map(({ message }) => message.messageId);
    const later = (second: number): string => `2026-05-01T10:00:0${second}.000Z`;
    const held = after(
      wrote('m1'),
      refused('m1', 503),
      wrote('m2', 'mira', later(1)),
      wrote('m3', 'mira', later(2)),
      wrote('m4', 'tomas', later(3)),
    );
    expect(idsOf(heldMessages(held))).toEqual(['m1', 'm2', 'm3']);
    expect(idsOf(messagesToSend(held))).toEqual(['m4']);
    const due = reduceChat(reduceChat(held, sent('m4')), { type: 'send-again' });
    expect(idsOf(messagesToSend(due))).toEqual(['m1']);
    const going = reduceChat(due, sent('m1'));
    expect(messagesToSend(reduceChat(going, { type: 'send-again' }))).toEqual([]);
    expect(idsOf(messagesToSend(reduceChat(going, accepted('m1'))))).toEqual(['m2']);
    expect(idsOf(messagesToSend(reduceChat(going, { type: 'disconnected' })))).toEqual(['m1', 'm4']);
  });

  it('lets what was refused wait behind a held message, too', () => {
    const state = after(wrote('m1'), wrote('m2'), refused('m2'), refused('m1', 503));
    const again = reduceChat(state, { type: 'retried', messageId: 'm2' });
    expect(heldMessages(again)).toHaveLength(2);
  });

  it('does not send again what met a bug', () => {
    expect(liveOf(after(wrote('m1'), refused('m1', 500)))).toEqual(['m1:refused']);
  });

  it('discards nothing that is on its way', () => {
    const state = after(wrote('m1'), { type: 'discarded', messageId: 'm1' });
    expect(liveOf(state)).toEqual(['m1:sending']);
  });

  it('discards no held message while it is on its way again, until it is refused', () => {
    const discarded: ChatAction = { type: 'discarded', messageId: 'm1' };
    const going = after(
      wrote('m1'),
      sent('m1'),
      refused('m1', 503),
      { type: 'send-again' } as const,
      sent('m1'),
    );
    expect(visibleItems(going, threadWith(going, 'mira'))).toMatchObject([{ isDiscardable: false }]);
    expect(liveOf(reduceChat(reduceChat(going, discarded), accepted('m1')))).toEqual(['m1:accepted']);
    // The gateway may have taken it and not come to say so; a reload knows no more.
    const lost = reduceChat(going, { type: 'disconnected' });
    const restored = after(
      ...unansweredMessages(lost).map((one): ChatAction => ({ type: 'wrote', ...toKeep(one) })),
    );
    for (const state of [lost, restored]) {
      expect(visibleItems(state, threadWith(state, 'mira'))).toMatchObject([{ isDiscardable: false }]);
      expect(liveOf(reduceChat(state, discarded))).toEqual(['m1:sending']);
    }
    const back = reduceChat(lost, refused('m1', 503));
    expect(visibleItems(back, threadWith(back, 'mira'))).toMatchObject([{ isDiscardable: true }]);
    expect(liveOf(reduceChat(back, discarded))).toEqual([]);
  });

  it('sends what was written once, and what was written as a held one was taken, too', () => {
    const written = after(wrote('m1'));
    expect(messagesToSend(written)).toHaveLength(1);
    expect(messagesToSend(reduceChat(written, sent('m1')))).toEqual([]);
    const freed = after(wrote('m1'), sent('m1'), refused('m1', 503), accepted('m1'), wrote('m2'));
    expect(messagesToSend(freed)).toMatchObject([{ message: { messageId: 'm2' } }]);
  });

  it('keeps a refused message over a reload, until it is discarded', () => {
    const state = after(wrote('m1'), refused('m1'));
    expect(unansweredMessages(state)).toHaveLength(1);
    const restored = after({ ...wrote('m1'), refusal: 'not so' } as ChatAction);
    expect(restored).toEqual(state);
    expect(liveOf(reduceChat(restored, { type: 'discarded', messageId: 'm1' }))).toEqual([]);
  });

  it('takes a refusal that names no message for that of a Stop, until there is an answer to that', () => {
    const state = after(wrote('m1'), accepted('m1'), wrote('m2'), sent('m2'), refused(undefined, 429));
    expect(liveOf(state)).toEqual(['m1:accepted', 'm2:sending']);
    expect(state.stopProblem).toBe('not so');
    for (const frame of [heard({ type: 'stopped', stopped: 1 }), ended('t1')])
      expect(reduceChat(state, frame).stopProblem).toBeNull();
  });
});

describe('a reply that is late', () => {
  it('leaves the message to be sent again, under its id', () => {
    expect(liveOf(after(wrote('m1'), accepted('m1'), refused('m1', 503)))).toEqual(['m1:refused']);
  });

  it('lets nobody discard what the gateway keeps, also once it was sent again or the page was loaded anew', () => {
    const isOffered = (state: ChatState): boolean[] =>
      visibleItems(state, threadWith(state, 'mira')).map((item) => item.kind === 'own' && item.isDiscardable);
    const late = after(wrote('m1'), sent('m1'), accepted('m1'), refused('m1', 503));
    const again: ChatAction[] = [{ type: 'retried', messageId: 'm1' }, sent('m1'), refused('m1', 503)];
    const lost: ChatAction[] = [accepted('m1'), { type: 'disconnected' }, sent('m1'), refused('m1', 503)];
    const restored = after(
      ...unansweredMessages(late).map((one): ChatAction => ({ type: 'wrote', ...toKeep(one) })),
    );
    const kept = [late, again.reduce(reduceChat, late), lost.reduce(reduceChat, late), restored];
    expect(kept.map(isOffered)).toEqual([[false], [false], [false], [false]]);
    expect(isOffered(reduceChat(late, refused('m1', 409)))).toEqual([true]);
  });

  it('leaves with the transcript once that tells the message', () => {
    const told = page(['1'], null);
    told.messages[0]!.messageId = 'm1';
    const state = after(wrote('m1'), accepted('m1'), refused('m1', 503), {
      type: 'history-loaded',
      companionId: 'mira',
      older: false,
      number: 1,
      page: told,
    });
    expect(liveOf(state)).toEqual([]);
  });
});
