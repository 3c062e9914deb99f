import { expect, it } from '@jest/globals';
import { DAY_MS } from '@kith/contracts';
import type { Claim } from '../inbox/claim.js';
import { readSilence } from './read-silence.js';

const ANN = 'ann';
const line = (turnId: string, text: string, personId = ANN, role = 'person') => ({
  turnId,
  text,
  personId,
  role,
});
const receivedAt = new Date();
function silenceIn(said: string[], earlier: object[] = [], changes: object = {}) {
  const burst = said.map((text) => ({ text, deleted: false, sentAt: receivedAt, receivedAt, ...changes }));
  return readSilence({ personId: ANN, burst, earlier } as unknown as Claim);
}

it('hears a wish for silence in any message that is answered, unless it was deleted', () => {
  expect(silenceIn(['Stop messaging me.', 'just kidding'])).toBe('now');
  expect(silenceIn(['why did you stop messaging me?'])).toBeNull();
  expect(silenceIn(['[sent a forwarded message: Stop messaging me.]'])).toBeNull();
  expect(silenceIn(['Stop messaging me.'], [], { deleted: true })).toBeNull();
});

it('does not take for new what was said long before it came', () => {
  const sentAt = new Date(receivedAt.getTime() - 2 * DAY_MS);
  expect(silenceIn(['Stop messaging me.'], [], { sentAt })).toBe('before');
});

it('hears it in what they said last, and in nothing of others or of long ago', () => {
  const asked = line('1', 'Stop messaging me.');
  const reply = line('1', 'Okay.', ANN, 'companion');
  expect(silenceIn(['no wait'], [asked, line('1', 'ok?'), reply, line('2', 'hi', 'bob')])).toBe('before');
  expect(silenceIn(['no wait'], [line('2', 'Stop messaging me.', 'bob')])).toBeNull();
  expect(silenceIn(['no wait'], [line('2', 'Stop messaging me.', ANN, 'companion')])).toBeNull();
  expect(silenceIn(['hi'], [asked, reply, line('2', 'fine')])).toBeNull();
});
