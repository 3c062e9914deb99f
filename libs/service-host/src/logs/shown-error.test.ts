import { describe, expect, it } from '@jest/globals';
import { AppError, PlainError } from '@kith/contracts';
import { shownError } from './shown-error.js';

class HostError extends PlainError {
  override readonly name = 'HostError';
}

describe('shownError', () => {
  it('shows nothing of what lies beneath an error that says all itself', () => {
    const quoting = Object.assign(new Error('you said: I love Ann'), { body: 'I love Ann' });
    const plain = new HostError('groq: refused (400)', { cause: quoting });
    const failed = new AppError('unavailable', 'no model answered', undefined, { cause: plain });
    for (const error of [plain, failed]) expect(JSON.stringify(shownError(error))).not.toContain('Ann');
    expect(shownError(failed)).toMatchObject({
      type: 'AppError',
      message: 'no model answered',
      reason: 'AppError unavailable by groq: refused (400)',
    });
  });

  it('shows no row that Postgres quotes, nor what it was given', () => {
    const refused = Object.assign(new Error('duplicate key value violates unique constraint "by_turn"'), {
      code: '23505',
      constraint: 'by_turn',
      detail: 'Key (about)=(I love Ann) already exists.',
      where: 'JSON data, line 1: {"text":"I love Ann"',
    });
    expect(JSON.stringify(shownError(refused))).not.toContain('Ann');
    expect(shownError(refused)).toMatchObject({ code: '23505', constraint: 'by_turn' });
  });

  it('shows other errors whole, with their causes and details', () => {
    const cause = new Error('connection refused');
    const shown = shownError(new AppError('unavailable', 'Postgres is away', { table: 'inbox' }, { cause }));
    expect(shown).toMatchObject({
      type: 'AppError',
      message: 'Postgres is away: connection refused',
      code: 'unavailable',
      details: { table: 'inbox' },
    });
  });

  it.each<unknown>(['went away', undefined, { code: 1 }])(
    'leaves what is no error as it is: %j',
    (thrown) => {
      expect(shownError(thrown as Error)).toBe(thrown);
    },
  );

  it('comes to an end where errors are their own cause', () => {
    const round = new Error('round');
    round.cause = round;
    expect(shownError(round)).toMatchObject({ type: 'Error' });
  });
});
