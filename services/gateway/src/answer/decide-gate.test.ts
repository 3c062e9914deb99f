import { describe, expect, it } from '@jest/globals';
import { decideGate } from './decide-gate.js';
import type { ClaimedMessage } from '../inbox/claim.js';

const NOW = new Date('2026-03-01T12:00:00Z');

function message(text: string, changes: Partial<ClaimedMessage> = {}): ClaimedMessage {
  return {
    id: 1n,
    origin: 'message',
    receivedAt: NOW,
    attempts: 0,
    stopped: false,
    deleted: false,
    revision: 0,
    overtaken: 0,
    door: 'discord',
    externalId: 'm1',
    text,
    target: null,
    quote: null,
    sentAt: NOW,
    ...changes,
  };
}

describe('the gate', () => {
  it.each(['hello', 'ありがとう', '👍', '?', '7', '¿?'])('lets %p through', (text) => {
    expect(decideGate({ burst: [message(text)] }, NOW)).toEqual({ kind: 'proceed' });
  });

  it.each(['...', '—', ' ', '!!'])('stays silent at %p', (text) => {
    expect(decideGate({ burst: [message(text)] }, NOW)).toEqual({ kind: 'silent', reason: 'nothing-said' });
  });

  it('answers a burst in which anything was said', () => {
    expect(decideGate({ burst: [message('...'), message('so')] }, NOW)).toEqual({ kind: 'proceed' });
  });

  it('drops a reason to write first that waited past half an hour, and keeps one that did not', () => {
    const waited = (minutes: number) =>
      message('-', { origin: 'outreach', receivedAt: new Date(NOW.getTime() - minutes * 60_000) });
    expect(decideGate({ burst: [waited(31)] }, NOW)).toEqual({ kind: 'silent', reason: 'stale-outreach' });
    expect(decideGate({ burst: [waited(29)] }, NOW)).toEqual({ kind: 'proceed' });
  });

  it('is silent when its person wants no answer any more', () => {
    expect(decideGate({ burst: [message('hello', { stopped: true })] }, NOW)).toEqual({
      kind: 'silent',
      reason: 'stopped',
    });
  });

  it('asks no model for words that nobody could be told where they belong', () => {
    const unwritable = message('hello', { target: { userId: '1', channelId: '2', unwritable: true } });
    expect(decideGate({ burst: [unwritable] }, NOW)).toEqual({
      kind: 'silent',
      reason: 'cannot-write-there',
    });
    expect(decideGate({ burst: [unwritable, message('and now?')] }, NOW)).toEqual({ kind: 'proceed' });
  });

  it('drops what was deleted, whoever began it, and answers what was not', () => {
    const gone = message('', { deleted: true });
    for (const origin of ['message', 'outreach', 'heartbeat'] as const)
      for (const isPaused of [false, true])
        expect(decideGate({ burst: [{ ...gone, origin }] }, NOW, isPaused)).toEqual({
          kind: 'dropped',
          reason: 'deleted',
        });
    expect(decideGate({ burst: [gone, message('hello')] }, NOW)).toEqual({ kind: 'proceed' });
  });

  it('answers nothing, and writes nothing first, while the companion is paused', () => {
    for (const origin of ['message', 'outreach', 'heartbeat'] as const) {
      const burst = [message('hello', { origin })];
      expect(decideGate({ burst }, NOW, true)).toEqual({ kind: 'silent', reason: 'paused' });
    }
  });
});
