import { describe, expect, it } from '@jest/globals';
import { AppError, ChatRequest, DocumentRequest, healthRoutes, memoryRoutes } from '@kith/contracts';
import { z } from 'zod';
import { parseInput, parseRequest } from './parse-input.js';

function refusal(input: unknown): AppError {
  try {
    parseInput(ChatRequest, input);
  } catch (error) {
    return error as AppError;
  }
  throw new Error('it was accepted');
}

describe('input', () => {
  it('that is wrong in several fields is refused with each of them named', () => {
    const { code, details } = refusal({ message: '', companion: 'NOT OK', colour: 'red' });
    expect(code).toBe('invalid_request');
    const fields = (details!['errors'] as { field: string }[]).map(({ field }) => field);
    expect(fields.toSorted()).toEqual(['colour', 'companion', 'message']);
  });

  it('that is no object at all is refused as the body', () => {
    expect((refusal('hello').details!['errors'] as { field: string }[])[0]!.field).toBe('body');
  });

  it('of a document that is longer than memory takes is refused by its field', () => {
    const read = (characters: number) => () =>
      parseInput(DocumentRequest, { title: 'Book', content: 'x'.repeat(characters) });
    expect(read(1_000_000)).not.toThrow();
    expect(read(1_000_001)).toThrow('content: at most 1000000 characters');
  });

  it('that Postgres could not keep is refused by its field', () => {
    expect(refusal({ message: 'a\0b' }).details!['errors']).toEqual([
      { field: 'message', message: 'must not contain a NUL character' },
    ]);
  });

  it('with half a surrogate pair, in whatever depth, is refused by its field', () => {
    expect(() => parseInput(z.object({ book: z.unknown() }), { book: { key: ['\ud800*'] } })).toThrow(
      'book.key.0: must not contain half a surrogate pair',
    );
  });

  it('whose names of fields Postgres could not keep is refused as for its texts', () => {
    const parse = (book: object) => parseInput(z.object({ book: z.unknown() }), { book });
    expect(() => parse({ 'a\0': 1 })).toThrow('book.a: its name must not contain a NUL character');
    expect(() => parse({ a: [{ '\ud800': 1 }] })).toThrow('its name must not contain half a surrogate pair');
  });

  it('that is wrong in several parts of a request is refused with the fields of all of them', () => {
    const request = { params: { id: '7' }, query: { preview: 'true' }, body: { text: '', colour: 'red' } };
    expect(() => parseRequest(memoryRoutes.change, request)).toThrow(
      /^id: an id such as .*; preview: is not a known field; text: at least 1 character; colour: is not a known field$/,
    );
  });

  it('is refused in a query that its route does not declare, but for a monitor’s of the health', () => {
    const query = { nonsense: '1' };
    const forget = { params: {}, query, body: { all: true } };
    expect(() => parseRequest(memoryRoutes.forget, forget)).toThrow('nonsense: is not a known field');
    expect(parseRequest(healthRoutes.show, { params: {}, query })).toEqual({});
  });

  it('of another type is refused for that alone', () => {
    expect(() => parseInput(ChatRequest, { message: [] })).toThrow(/^message: a text$/);
  });

  it('that is wrong in thousands of fields is refused in few words', () => {
    const unknown = Array.from({ length: 5_000 }, (_, n) => [`${'x'.repeat(1_000)}${n}`, 1]);
    const { message, details } = refusal({ message: 'hi', ...Object.fromEntries(unknown) });
    expect(details!['errors']).toHaveLength(20);
    expect(message).toMatch(/; and 4980 more$/);
    expect(JSON.stringify([message, details]).length).toBeLessThan(10_000);
  });

  it('that is right comes back with its defaults', () => {
    expect(parseInput(ChatRequest, { message: ' hi ' })).toEqual({
      message: 'hi',
      conversation: 'main',
      stream: false,
    });
  });
});
