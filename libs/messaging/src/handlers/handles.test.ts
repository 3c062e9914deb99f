import { describe, expect, it } from '@jest/globals';
import { defineEvent, defineJob, defineRequest } from '@kith/contracts';
import { z } from 'zod';
import { assertOneHandler, contractsOf } from './contracts-of.js';
import { Handles } from './handles.js';

const contract = {
  greet: defineRequest('hello.greet', {
    request: z.object({ name: z.string(), times: z.number().default(1) }),
    response: z.object({ text: z.string() }),
    timeoutMs: 1_000,
  }),
  wave: defineJob('hello.wave', { payload: z.object({ to: z.string() }), idOf: ({ to }) => to }),
  greeted: defineEvent('hello.greeted', z.object({ name: z.string() })),
};

class Greeter {
  readonly waved: string[] = [];
  @Handles(contract.greet)
  async onGreet({ name, times }: { name: string; times: number }) {
    return { text: `hello ${name} `.repeat(times).trim(), secret: 'not in the contract' };
  }
  @Handles(contract.greeted)
  onGreeted(): void {}
}

class Waver {
  readonly waved: string[] = [];
  @Handles(contract.wave)
  async onWave({ to }: { to: string }): Promise<void> {
    this.waved.push(to);
  }
}

describe('a method bound to a contract', () => {
  it('gets the parsed request, and lets out only what the contract names', async () => {
    const greeter = new Greeter() as object as { onGreet: (request: { name: string }) => Promise<unknown> };
    expect(await greeter.onGreet({ name: 'Ada' })).toEqual({ text: 'hello Ada' });
    await expect(greeter.onGreet({} as { name: string })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('that answers otherwise than its contract fails as internal', async () => {
    class Wrong {
      @Handles(contract.greet)
      async onGreet() {
        return { text: 1 as unknown as string };
      }
    }
    const wrong = new Wrong() as object as { onGreet: (request: unknown) => Promise<unknown> };
    await expect(wrong.onGreet({ name: 'Ada' })).rejects.toMatchObject({ code: 'internal' });
  });

  it('keeps its this', async () => {
    const waver = new Waver();
    await waver.onWave({ to: 'Ada' });
    expect(waver.waved).toEqual(['Ada']);
  });

  it('of a wrong type does not compile', () => {
    class Mistaken {
      // @ts-expect-error the request has no `nme`
      @Handles(contract.greet)
      async misreads({ nme }: { nme: string }) {
        return { text: nme };
      }
      // @ts-expect-error the answer is an object
      @Handles(contract.greet)
      async misanswers() {
        return 'hello';
      }
      // @ts-expect-error the name is a text
      @Handles(contract.greeted)
      mishears({ name }: { name: number }): void {
        expect(name).toBeDefined();
      }
      // @ts-expect-error a job goes to one who, not to how many
      @Handles(contract.wave)
      async misworks({ to }: { to: number }): Promise<void> {
        expect(to).toBeDefined();
      }
    }
    expect(Mistaken.name).toBe('Mistaken');
  });
});

describe('assertOneHandler', () => {
  it('is content when each request and job has one handler', () => {
    expect(() => assertOneHandler(contract, [Greeter, Waver])).not.toThrow();
    expect(contractsOf([Greeter, Waver])).toEqual({
      answers: ['hello.greet'],
      hears: ['hello.greeted'],
      works: ['hello.wave'],
    });
  });

  it('names what has none, what has two, and what is not its own', () => {
    expect(() => assertOneHandler(contract, [Greeter])).toThrow('hello.wave has no handler');
    class Again extends Waver {}
    expect(() => assertOneHandler(contract, [Greeter, Waver, Again])).toThrow('hello.wave has 2 handlers');
    expect(() => assertOneHandler({ greet: contract.greet }, [Greeter, Waver])).toThrow('hello.wave is not');
  });
});
