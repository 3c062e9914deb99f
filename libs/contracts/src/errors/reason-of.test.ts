import { describe, expect, it } from '@jest/globals';
import { AppError } from './app-error.js';
import { PlainError, reasonOf } from './reason-of.js';

const SAID = 'I love Ann';

class HostError extends PlainError {}

describe('reasonOf', () => {
  it('names an error and its causes, and quotes none', () => {
    const refused = Object.assign(new Error(SAID), { code: 'ECONNREFUSED', status: 503, body: SAID });
    const failed = new AppError('unavailable', SAID, { answered: 502, text: SAID }, { cause: refused });
    expect(reasonOf(failed)).toBe('AppError unavailable 502 by Error ECONNREFUSED 503');
  });

  it('takes for a code or a name only what is a word', () => {
    const odd = Object.assign(new TypeError(SAID), { name: SAID, code: SAID, status: SAID });
    expect(reasonOf(odd)).toBe('Error');
  });

  it('tells the message of a plain error, and nothing beneath it', () => {
    const plain = new HostError('groq: rate-limited (429)', { cause: new Error(SAID) });
    expect(reasonOf(new Error(SAID, { cause: plain }))).toBe('Error by groq: rate-limited (429)');
  });

  it('ends where errors are their own cause, and tells nothing of what is no error', () => {
    const round = new Error(SAID);
    round.cause = round;
    expect(reasonOf(round)).toBe('Error by Error by Error by Error');
    expect(reasonOf(SAID)).toBe('unknown');
  });
});
