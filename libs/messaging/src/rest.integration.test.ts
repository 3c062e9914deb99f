import { describe, expect, it } from '@jest/globals';
import { defineEvent, defineJob, defineRequest } from '@kith/contracts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { Handles } from './handlers/handles.js';
import { eventually } from './testing-redis.js';
import { Bench } from './testing-service.js';

const Numbered = z.object({ n: z.number() });
const form = { request: Numbered, response: Numbered, timeoutMs: 2_000 };
const double = defineRequest('calc.double', form);
const halve = defineRequest('calc.halve', form);
const counted = defineEvent('calc.counted', Numbered);
const order = { payload: Numbered, idOf: ({ n }: { n: number }) => `n-${n}` };
const note = defineJob('calc.note', { ...order, concurrency: 1 });
const store = defineJob('calc.store', order);
const bench = Bench.forThisFile();

/** A service with the times of one in earnest. */
async function startService() {
  const done: string[] = [];
  @Controller()
  class Calc {
    @Handles(double)
    onDouble({ n }: { n: number }) {
      return { n: n * 2 };
    }
    @Handles(halve)
    onHalve({ n }: { n: number }) {
      return { n: n / 2 };
    }
    @Handles(counted)
    onCounted() {
      done.push('counted');
    }
    @Handles(note)
    onNote() {
      done.push('noted');
    }
    @Handles(store)
    onStore() {
      done.push('stored');
    }
  }
  const jobs = { lockMs: 10_000, stalledCheckMs: 5_000 };
  await bench.startReplica('calc', [Calc], { claimIdleMs: 10_000, jobs });
  return done;
}

/** All that is sent in some seconds. */
async function sentWithin(seconds: number): Promise<string[]> {
  const sent: string[] = [];
  const look = bench.look();
  // The library takes a command that is told in one packet with its own answer for another answer: here its first look.
  await look.ping();
  const monitor = await look.monitor();
  monitor.on('monitor', (_: string, [command = '']: string[]) => sent.push(command.toLowerCase()));
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  monitor.disconnect();
  return sent;
}

describe('a service at rest', () => {
  it('sends a command a second, and is there at once all the same', async () => {
    const done = await startService();
    const use = async (n: number) => {
      expect(await bench.messenger.ask(double, { n })).toEqual({ n: 2 * n });
      expect(await bench.messenger.ask(halve, { n })).toEqual({ n: n / 2 });
      await bench.messenger.announce(counted, { n });
      await bench.messenger.enqueue(note, { n });
      await bench.messenger.enqueue(store, { n });
    };
    await use(1);
    await eventually(() => done.length === 3, 'all is done');
    // Answers that were read are trimmed within two seconds.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const sent = await sentWithin(6);
    // Four reads that wait twelve seconds each, and looks for what a dead replica left: of queues in five, of streams in ten.
    const ofRest = ['xreadgroup', 'xread', 'bzpopmin', 'exists', 'xpending'];
    expect(sent.filter((command) => !ofRest.includes(command))).toEqual([]);
    expect(sent.length).toBeLessThanOrEqual(9);
    await use(2);
    await eventually(() => done.length === 6, 'all is done again', 1_000);
  }, 30_000);
});
