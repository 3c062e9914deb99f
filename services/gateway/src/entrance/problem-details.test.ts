import { describe, expect, it } from '@jest/globals';
import { NotFoundException } from '@nestjs/common';
import { AppError, notedError } from '@kith/contracts';
import { withCorrelationId } from '@kith/messaging';
import { problemOf, toAppError } from './problem-details.js';

describe('a problem', () => {
  it('has the status of its code and names the fields that were refused', () => {
    const errors = [
      { field: 'message', message: 'too long' },
      { field: 'colour', message: 'is not a known field' },
    ];
    expect(problemOf(new AppError('invalid_request', 'two fields', { errors }))).toEqual({
      type: 'urn:kith:problem:invalid_request',
      title: 'The request is not valid',
      status: 400,
      detail: 'two fields',
      code: 'invalid_request',
      errors,
    });
  });

  it('names the one field an error is about', () => {
    const error = new AppError('not_found', 'there is no companion "max"', { field: 'companion' });
    expect(problemOf(error)).toMatchObject({
      status: 404,
      errors: [{ field: 'companion', message: 'there is no companion "max"' }],
    });
  });

  it('has the receipt of an order that goes on by itself', () => {
    const receipt = '71f70a96-8f50-4c4e-8f20-ac1d28bf4523';
    expect(problemOf(notedError('it is noted', receipt, null))).toMatchObject({ status: 503, receipt });
  });

  it('keeps what a bug said to the log, and gives the number to find it by', () => {
    const error = toAppError(new Error('password=hunter2'));
    const problem = withCorrelationId('c-1', () => problemOf(error));
    expect(problem).toMatchObject({ status: 500, code: 'internal', correlationId: 'c-1' });
    expect(JSON.stringify(problem)).not.toContain('hunter2');
    expect(error.cause).toBeInstanceOf(Error);
  });
});

describe('what others throw', () => {
  it.each([
    [{ type: 'entity.too.large', status: 413, limit: 1_048_576 }, 'invalid_request', /larger than 1 MB/],
    [{ type: 'entity.too.large', status: 413 }, 'invalid_request', /too large/],
    [{ type: 'charset.unsupported', status: 415 }, 'invalid_request', /form that is not read/],
    [new NotFoundException(), 'not_found', /nothing at this address/],
    [
      Object.assign(new URIError('Failed to decode'), { status: 400 }),
      'invalid_request',
      /could not be read/,
    ],
    // The file server: a path that leads out, a range beyond the end, a condition that fails.
    [{ status: 403, message: '/srv/kith/.env' }, 'not_found', /nothing at this address/],
    [{ status: 416 }, 'invalid_request', /range/],
    [{ status: 412 }, 'invalid_request', /condition/],
    [{ status: 418, message: 'inner words' }, 'invalid_request', /^the request could not be read$/],
    [{ status: 502, message: 'inner words' }, 'internal', /^unexpected error$/],
    [undefined, 'internal', /^unexpected error$/],
    ['a text', 'internal', /^unexpected error$/],
  ])('%p becomes %s', (thrown, code, message) => {
    const error = toAppError(thrown);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it('keeps the status of what is refused', () => {
    for (const status of [400, 408, 412, 413, 415, 416, 431])
      expect(problemOf(toAppError({ status })).status).toBe(status);
  });

  it('stays as it is when it is ours already', () => {
    const error = new AppError('conflict', 'no');
    expect(toAppError(error)).toBe(error);
  });
});
