import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ClientFrame } from '../http/chat.routes.js';
import { IsoDay, IsoTime } from '../time/iso-time.js';
import { explainFields, explainIssue } from './explain-issue.js';
import { Uuid } from '../values/words.js';

const refused = (schema: z.ZodType, input: unknown) => {
  const { error } = schema.safeParse(input);
  return error?.issues.map(explainIssue);
};

describe('a refused field', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.number().max(200), 201, 'at most 200'],
    [z.string().min(1), '', 'at least 1 character'],
    [z.string().max(2), 'abc', 'at most 2 characters'],
    [z.array(z.string()).min(1), [], 'at least 1 entry'],
    [z.enum(['on', 'off']), 'maybe', 'one of on, off'],
    [z.literal('all'), 'some', 'all'],
    [z.int(), 1.5, 'a whole number'],
    [z.coerce.number(), 'x', 'a number'],
    [z.string(), 7, 'a text'],
    [z.record(z.string(), z.number()), 'x', 'an object'],
    [z.base64(), '!', 'base64, with its padding'],
    [ClientFrame, { type: 'hallo' }, 'one of hello, message, stop, ping'],
    [z.object({ text: z.string() }), {}, 'is missing'],
    [Uuid, 'x', 'an id such as 019a0000-0000-7000-8000-000000000001'],
    [IsoTime, 'soon', 'a time such as 2026-12-01T00:00:00Z'],
    [IsoDay, 'soon', 'a day such as 2026-12-01'],
    [z.string().min(2, 'at least two letters'), 'x', 'at least two letters'],
    [z.string().regex(/^\d+$/, 'digits alone'), 'x', 'digits alone'],
  ])('%# says what it takes', (schema, input, words) => {
    expect(refused(schema, input)).toEqual([words]);
  });
});

it('a field that is not known is named, at whatever depth, and what is no field’s own by the whole', () => {
  const schema = z.strictObject({ traits: z.strictObject({ openness: z.number() }) });
  const wrong = (input: unknown) => explainFields(schema.safeParse(input).error!, 'whole file');
  expect(wrong({ traits: { openness: 'x', opennes: 1 }, b: 1 })).toEqual([
    { field: 'traits.openness', message: 'a number' },
    { field: 'traits.opennes', message: 'is not a known field' },
    { field: 'b', message: 'is not a known field' },
  ]);
  // A whole number has a bound of its own, too.
  const limited = z.object({ limit: z.int().max(200) }).safeParse({ limit: 1e20 });
  expect(explainFields(limited.error!, 'body')).toEqual([{ field: 'limit', message: 'at most 200' }]);
  expect(wrong([])).toEqual([{ field: 'whole file', message: 'an object' }]);
});
