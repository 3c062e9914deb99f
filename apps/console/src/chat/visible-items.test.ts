import { describe, expect, it } from '@jest/globals';
import { reduceChat, type ChatAction } from './reduce-chat.js';
import { EMPTY_CHAT, threadWith, type TranscriptEntry } from './chat-thread.js';
import { visibleItems } from './visible-items.js';

const AT = '2026-05-01T10:00:00.000Z';

function entry(id: string, changes: Partial<TranscriptEntry>): TranscriptEntry {
  return { id, turnId: null, role: 'person', name: 'Sam', text: id, at: AT, ...changes };
}

const loaded = (messages: TranscriptEntry[]): ChatAction => ({
  type: 'history-loaded',
  companionId: 'mira',
  older: false,
  number: 1,
  page: {
    conversation: {
      id: 'c1',
      companionId: 'mira',
      door: 'http',
      name: 'main',
      kind: 'direct',
      lastMessageAt: AT,
    },
    messages,
    nextCursor: null,
  },
});
const wrote = (messageId: string): ChatAction => ({
  type: 'wrote',
  companionId: 'mira',
  messageId,
  text: messageId,
  at: AT,
});

function shown(...actions: ChatAction[]): string[] {
  const state = actions.reduce(reduceChat, EMPTY_CHAT);
  return visibleItems(state, threadWith(state, 'mira')).map(({ kind, text }) => `${kind} ${text}`);
}

describe('visibleItems', () => {
  it('shows the transcript first, then what is on its way', () => {
    const kept = [entry('hi', { turnId: 't1' }), entry('hello', { turnId: 't1', role: 'companion' })];
    expect(shown(loaded(kept), wrote('and now?'))).toEqual(['own hi', 'reply hello', 'own and now?']);
  });

  it('shows what it showed until the talk is read after a lost connection, and no longer', () => {
    const kept = loaded([entry('hi', { turnId: 't1' }), entry('hello', { turnId: 't1', role: 'companion' })]);
    const back: ChatAction = { type: 'reconnected', openCompanionId: 'mira' };
    expect(shown(kept, wrote('m1'), back, back)).toEqual(['own hi', 'reply hello', 'own m1']);
    expect(shown(kept, back, loaded([]))).toEqual([]);
    expect(shown(kept, back, { ...loaded([]), type: 'history-failed' } as ChatAction)).toEqual([]);
    expect(shown(kept, back, { type: 'talk-changed' })).toEqual([]);
  });

  it('shows a message once that is both kept and being sent again', () => {
    const kept = [entry('hi', { turnId: 't1', messageId: 'm1' })];
    expect(shown(wrote('m1'), loaded(kept)).filter((line) => line.startsWith('own'))).toEqual(['own hi']);
  });

  it('shows a turn once that was seen live and then read', () => {
    const live: ChatAction[] = [
      wrote('m1'),
      { type: 'frame', at: AT, frame: { type: 'accepted', conversationId: 'c1', messageId: 'm1' } },
      {
        type: 'frame',
        at: AT,
        frame: { type: 'turn', turnId: 't1', recalled: [], mood: null, degraded: [] },
      },
    ];
    const kept = [entry('hi', { turnId: 't1' }), entry('hello', { turnId: 't1', role: 'companion' })];
    expect(shown(...live, loaded(kept))).toEqual(['own hi', 'reply hello']);
  });

  it('shows the silence after a turn that has no reply, once for a burst', () => {
    const kept = [
      entry('one', { turnId: 't1' }),
      entry('two', { turnId: 't1' }),
      entry('three', { turnId: 't2' }),
      entry('reply', { turnId: 't2', role: 'companion' }),
    ];
    expect(shown(loaded(kept))).toEqual(['own one', 'own two', 'reply ', 'own three', 'reply reply']);
  });

  it('says of a kept reply how its turn ended, before that turn is asked for', () => {
    const ending = { outcome: 'answered' as const, reason: null, rehearsal: true, degraded: ['memory'] };
    const kept = [
      entry('hi', { turnId: 't1', ending }),
      entry('hello', { turnId: 't1', role: 'companion', ending }),
    ];
    const state = reduceChat(EMPTY_CHAT, loaded(kept));
    const items = visibleItems(state, threadWith(state, 'mira'));
    expect(items.at(-1)).toMatchObject({ text: 'hello', turn: null, ending });
  });

  it('shows what the companion said first', () => {
    expect(shown(loaded([entry('thought of you', { role: 'companion', turnId: 't1' })]))).toEqual([
      'reply thought of you',
    ]);
  });
});
