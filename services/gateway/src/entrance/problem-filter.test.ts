import { describe, expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { NotFoundException } from '@nestjs/common';
import type { Response } from 'express';
import { ProblemFilter, sendProblem } from './problem-filter.js';

/** Answers a request for which there is no route. */
function refuse(path: string) {
  const answer = { status: 0, headers: {} as Record<string, string>, body: '' };
  const response = {
    removeHeader: () => undefined,
    hasHeader: () => false,
    set: (headers: Record<string, string>) => {
      answer.headers = headers;
      return response;
    },
    status: (status: number) => {
      answer.status = status;
      return response;
    },
    type: () => response,
    send: (body: string) => (answer.body = body),
  };
  const http = { getRequest: () => ({ method: 'GET', path }), getResponse: () => response };
  const host = { getType: () => 'http', switchToHttp: () => http };
  new ProblemFilter({} as never).catch(new NotFoundException(), host as never);
  return answer;
}

it('tells a wrong method from a wrong address', () => {
  const { body, ...refusal } = refuse('/v1/chat');
  expect(refusal).toMatchObject({ status: 405, headers: { Allow: 'POST' } });
  expect(JSON.parse(body)).toMatchObject({ status: 405, detail: 'this address takes POST' });
  expect(refuse('/v1/chats')).toMatchObject({ status: 404 });
});

it('says that the address of the WebSocket takes nothing else', () => {
  expect(refuse('/v1/ws')).toMatchObject({ status: 426, headers: { Upgrade: 'websocket' } });
});

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
      status: () => response,
      type: () => response,
      send: () => response,
    };
    const refusal = new AppError('rate_limited', 'slow down', { retryAfterS: 3 });
    sendProblem(response as unknown as Response, refusal);
    expect(Object.fromEntries(headers)).toEqual({ 'Cache-Control': 'no-store', 'Retry-After': '3' });
  });
});
