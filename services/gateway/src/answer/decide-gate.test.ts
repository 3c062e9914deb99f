import { describe, expect, it } from '@jest/globals';
import { decideGate, type CompanionStanding } from './decide-gate.js';
import type { ClaimedMessage } from '../inbox/claim.js';

const NOW = new Date('2026-03-01T12:00:00Z');

function message(text: string, changes: Partial<ClaimedMessage> = {}): ClaimedMessage {
  return {
    id: 1n,
    origin: 'message',
    receivedAt: NOW,
    attempts: 0,
    leaseToken: 1,
    pictureCount: 0,
    stopped: false,
    deleted: false,
    revision: 0,
    overtaken: 0,
    door: 'discord',
    externalId: 'm1',
    text,
    target: null,
    quote: null,
    nickname: null,
    sentAt: NOW,
    ...changes,
  };
}

const gate = (burst: ClaimedMessage[], standing: CompanionStanding = 'serves') =>
  decideGate({ burst }, NOW, standing);

describe('the gate', () => {
  it.each(['hello', 'ありがとう', '👍', '?', '7', '¿?', '؟', '՞', '፧', '⸮', '\u037E', '‼️', '⁉️', '⁇'])(
    'lets %p through',
    (text) => {
      expect(gate([message(text)])).toEqual({ kind: 'proceed' });
    },
  );

  it.each(['...', '—', ' ', '!!'])('stays silent at %p', (text) => {
    expect(gate([message(text)])).toEqual({ kind: 'silent', reason: 'nothing-said' });
  });

  it('answers a burst in which anything was said', () => {
    expect(gate([message('...'), message('so')])).toEqual({ kind: 'proceed' });
  });

  it('drops a reason to write first that waited past half an hour, and keeps one that did not', () => {
    const waited = (minutes: number) =>
      message('-', { origin: 'outreach', receivedAt: new Date(NOW.getTime() - minutes * 60_000) });
    expect(gate([waited(31)])).toEqual({ kind: 'silent', reason: 'stale-outreach' });
    expect(gate([waited(29)])).toEqual({ kind: 'proceed' });
  });

  it('is silent when its person wants no answer any more', () => {
    expect(gate([message('hello', { stopped: true })])).toEqual({ kind: 'silent', reason: 'stopped' });
  });

  it('asks no model for words that nobody could be told where they belong', () => {
    const unwritable = message('hello', { target: { userId: '1', channelId: '2', unwritable: true } });
    expect(gate([unwritable])).toEqual({ kind: 'silent', reason: 'cannot-write-there' });
    expect(gate([unwritable, message('and now?')])).toEqual({ kind: 'proceed' });
  });

  it('drops what was deleted, whoever began it, and answers what was not', () => {
    const gone = message('', { deleted: true });
    for (const origin of ['message', 'outreach', 'heartbeat'] as const)
      for (const standing of ['serves', 'paused', 'retired'] as const)
        expect(gate([{ ...gone, origin }], standing)).toEqual({ kind: 'dropped', reason: 'deleted' });
    expect(gate([gone, message('hello')])).toEqual({ kind: 'proceed' });
  });

  it('answers nothing, and writes nothing first, while the companion is paused', () => {
    for (const origin of ['message', 'outreach', 'heartbeat'] as const) {
      const burst = [message('hello', { origin })];
      expect(gate(burst, 'paused')).toEqual({ kind: 'silent', reason: 'paused' });
    }
  });

  it('begins nothing for a companion that is retired', () => {
    const gateOf = (origin: 'message' | 'outreach' | 'heartbeat') =>
      gate([message('hello', { origin })], 'retired');
    expect(gateOf('outreach')).toEqual({ kind: 'silent', reason: 'retired' });
    expect(gateOf('heartbeat')).toEqual({ kind: 'silent', reason: 'retired' });
    expect(gateOf('message')).toEqual({ kind: 'proceed' });
  });
});
