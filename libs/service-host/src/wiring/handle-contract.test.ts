import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { defineEvent, defineJob, defineRequest } from '@kith/contracts';
import { assertOneHandler, contractsOf } from '@kith/messaging';
import { z } from 'zod';
import { handleContract } from './handle-contract.js';
import type { Token } from './provide.js';

const Name = z.object({ name: z.string() });
const contract = {
  greet: defineRequest('test.greet', { request: Name, response: z.object({ text: z.string() }) }),
  wave: defineJob('test.wave', { payload: Name, idOf: ({ name }) => name }),
  greeted: defineEvent('test.greeted', Name),
};
const others = { left: defineEvent('other.left', Name) };

interface Voice {
  readonly said: string[];
}
const VOICE: Token<Voice> = Symbol('VOICE');

const Greeter = handleContract(contract, { left: others.left }, VOICE, ({ said }) => ({
  greet: ({ name }) => ({ text: `hello ${name}`, secret: 'x' }),
  wave: ({ name }, run) => void said.push(`wave ${name} ${run.attempt}`),
  left: ({ name }) => void said.push(`bye ${name}`),
}));

describe('the controller of a contract', () => {
  const voice: Voice = { said: [] };
  const greeter = new Greeter(voice);
  const call = (name: string, ...args: unknown[]) =>
    (Reflect.get(greeter, name) as (...given: unknown[]) => Promise<unknown>).apply(greeter, args);

  it('handles its requests and jobs, and the events that it hears', () => {
    expect(() => assertOneHandler(contract, [Greeter])).not.toThrow();
    expect(contractsOf([Greeter])).toEqual({
      answers: ['test.greet'],
      works: ['test.wave'],
      hears: ['other.left'],
    });
  });

  it('hands what came in, parsed, to their handlers, and answers what the contract names', async () => {
    expect(await call('greet', { name: 'Ann', other: 1 })).toEqual({ text: 'hello Ann' });
    await call('wave', { name: 'Ann' }, { attempt: 2 });
    await call('left', { name: 'Ann' });
    expect(voice.said).toEqual(['wave Ann 2', 'bye Ann']);
    await expect(call('greet', { name: 1 })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
