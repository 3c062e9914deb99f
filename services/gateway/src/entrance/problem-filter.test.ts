import { describe, expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import type { Response } from 'express';
import { sendProblem } from './problem-filter.js';

describe('an answer with a problem', () => {
  it('is kept by nobody, and has none of the headers that another answer was given', () => {
    const headers = new Map<string, unknown>([
      ['ETag', 'x'],
      ['Cache-Control', 'public, max-age=3600'],
    ]);
    const response = {
      removeHeader: (name: string) => headers.delete(name),
      set: (all: object) => {
        for (const [name, value] of Object.entries(all)) headers.set(name, value);
        return response;
      },
      ...{ status: () => response, type: () => response, send: () => response },
    };
    const refusal = new AppError('rate_limited', 'slow down', { retryAfterS: 3 });
    sendProblem(response as unknown as Response, refusal);
    expect(Object.fromEntries(headers)).toEqual({ 'Cache-Control': 'no-store', 'Retry-After': '3' });
  });
});
