import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { AppError, defineJob, defineRequest } from '@kith/contracts';
import { Controller, type Type } from '@nestjs/common';
import { Worker } from 'bullmq';
import { z } from 'zod';
import { currentCorrelationId, withCorrelationId } from '../correlation.js';
import { Handles } from '../handlers/handles.js';
import { eventually, gate } from '../testing-redis.js';
import { Bench } from '../testing-service.js';
import type { JobRun } from './job-runner.js';

const bench = Bench.forThisFile();
const Numbered = z.object({ n: z.number() });
const note = defineJob('calc.note', {
  payload: Numbered,
  idOf: ({ n }) => `n-${n}`,
  attempts: 3,
  backoffMs: 10,
});

const Batch = z.object({ ns: z.array(z.number()) });
const noteAll = defineJob('calc.note-all', {
  payload: Batch,
  idOf: ({ ns }) => `ns-${ns.join('-')}`,
  partsOf: ({ ns }) => ns.map((n) => ({ ns: [n] })),
});
/** A job whose pieces only its method knows. */
const noteEach = defineJob('calc.note-each', { payload: Batch, idOf: ({ ns }) => `ns-${ns.join('-')}` });

function worker(during: (n: number, run: JobRun) => void | Promise<void> = () => undefined) {
  const tries: number[] = [];
  const runs: JobRun[] = [];
  const correlationIds: (string | undefined)[] = [];
  @Controller()
  class Notes {
    @Handles(note)
    async onNote({ n }: { n: number }, run: JobRun) {
      tries.push(n);
      runs.push(run);
      correlationIds.push(currentCorrelationId());
      await during(n, run);
    }
  }
  return { Notes: Notes as Type, tries, runs, correlationIds };
}

/** Starts a replica that does jobs so. */
async function startWorker(during?: Parameters<typeof worker>[0]) {
  const { Notes, ...done } = worker(during);
  await bench.startReplica('calc', [Notes]);
  return done;
}

/** Numbers whose jobs take longer in a deadly replica: past the time for which a suspect is alone, and not quite as long. */
const [LONG, LONGER_THAN_A_LOOK] = [34, 36];

// A replica in a process of its own, from the built library, whose job ends it.
const DEADLY_REPLICA = `
  import 'reflect-metadata';
  import { defineJob } from '@kith/contracts';
  import { Handles, MessagingModule } from '@kith/messaging';
  import { Controller } from '@nestjs/common';
  import { NestFactory } from '@nestjs/core';
  import { z } from 'zod';
  const [redisUrl, keyPrefix, deadly, concurrency] = process.argv.slice(1);
  const Numbered = z.object({ n: z.number() });
  const Batch = z.object({ ns: z.array(z.number()) });
  const note = defineJob('calc.note', {
    payload: Numbered, idOf: ({ n }) => 'n-' + n, concurrency: Number(concurrency),
  });
  const noteAll = defineJob('calc.note-all', {
    payload: Batch, idOf: ({ ns }) => 'ns-' + ns.join('-'), partsOf: ({ ns }) => ns.map((n) => ({ ns: [n] })),
  });
  const noteEach = defineJob('calc.note-each', { payload: Batch, idOf: ({ ns }) => 'ns-' + ns.join('-') });
  const died = () => process.kill(process.pid, 'SIGKILL');
  const times = { ${LONG}: 30_000, ${LONGER_THAN_A_LOOK}: 900 };
  const isDeadly = (n) => deadly.split(',').includes(String(n));
  class Notes {
    async onNote({ n }) {
      if (isDeadly(n)) died();
      // The others are still in hand when it happens.
      if (concurrency > 1) await new Promise((resolve) => setTimeout(resolve, times[n] ?? 300));
    }
    onAll({ ns }) { if (ns.some(isDeadly)) died(); }
    async onEach({ ns }, { suspect }) {
      for (const n of ns) {
        if (suspect?.endedBy.includes(String(n))) continue;
        await suspect?.begin(String(n));
        if (isDeadly(n)) { died(); await new Promise(() => undefined); }
      }
    }
  }
  for (const [name, contract] of [['onNote', note], ['onAll', noteAll], ['onEach', noteEach]]) {
    const method = Object.getOwnPropertyDescriptor(Notes.prototype, name);
    Handles(contract)(Notes.prototype, name, method);
    Object.defineProperty(Notes.prototype, name, method);
  }
  Controller()(Notes);
  class App {}
  const jobs = { lockMs: 1_000, stalledCheckMs: 500 };
  const say = () => undefined;
  const logger = { debug: say, info: say, warn: say, error: say };
  const imports = [MessagingModule.forRoot({ service: 'calc', redisUrl, keyPrefix, jobs, logger })];
  const app = await NestFactory.create({ module: App, imports, controllers: [Notes] }, { logger: false });
  await app.init();
`;

/** Runs a replica until it dies of one of these numbers. */
async function dieOfAJob(deadly: readonly number[], { concurrency = 4 } = {}): Promise<void> {
  const { url } = bench.redis;
  const args = [
    '--input-type=module',
    '-e',
    DEADLY_REPLICA,
    url,
    bench.keyPrefix,
    deadly.join(),
    String(concurrency),
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  bench.onClose(() => void child.kill('SIGKILL'));
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

async function untilAWorkerWaits(): Promise<void> {
  const redis = bench.look();
  const waits = async () => String(await redis.client('LIST')).includes('cmd=bzpopmin');
  await eventually(waits, 'a worker waits for jobs');
}

function setClockBy(ms: number) {
  const now = Date.now.bind(Date);
  return jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);
}

const failed = () => bench.messenger.jobs.listFailed(note);
const left = async () => {
  const { waiting = 0, delayed = 0, active = 0 } = await bench.messenger.jobs.counts(note);
  return waiting + delayed + active;
};

describe('jobs', () => {
  it('ordered twice are done once, and again when ordered after that', async () => {
    const { Notes, tries } = worker();
    for (let time = 0; time < 3; time += 1) await bench.messenger.enqueue(note, { n: 1 });
    expect(await left()).toBe(1);
    await bench.startReplica('calc', [Notes]);
    await eventually(async () => tries.length === 1 && (await left()) === 0, 'the job is done');
    await bench.messenger.enqueue(note, { n: 1 });
    await eventually(() => tries.length === 2, 'it is done again');
  });

  it('wait for their delay', async () => {
    const { tries } = await startWorker();
    await bench.messenger.enqueue(note, { n: 2 }, { delayMs: 60_000 });
    await bench.messenger.enqueue(note, { n: 3 });
    await eventually(() => tries.length === 1, 'the undelayed one is done');
    expect(tries).toEqual([3]);
    expect(await bench.messenger.jobs.counts(note)).toMatchObject({ delayed: 1 });
  });

  it('are tried again, told which try it is, and listed when their tries are used up', async () => {
    const { Notes, runs } = worker(() => {
      throw new Error('no luck');
    });
    await bench.startReplica('calc', [Notes]);
    await bench.messenger.enqueue(note, { n: 4 });
    await eventually(async () => (await failed()).length === 1, 'the job has failed for good');
    expect(runs).toEqual([1, 2, 3].map((attempt) => ({ attempt, suspect: null })));
    expect(await failed()).toMatchObject([
      { id: 'n-4', pattern: 'calc.note', payload: { n: 4 }, reason: 'Error: no luck', attempts: 3 },
    ]);
  });

  it('end at the first try on an error that no retry can mend', async () => {
    const { tries } = await startWorker(() => {
      throw new AppError('not_found', 'no such thing');
    });
    await bench.messenger.enqueue(note, { n: 5 });
    await eventually(async () => (await failed()).length === 1, 'the job has failed for good');
    expect(tries).toEqual([5]);
    expect(await failed()).toMatchObject([{ reason: 'not_found: no such thing' }]);
  });

  it('that failed for good get their tries anew, by hand or when ordered again', async () => {
    let broken = true;
    const { runs } = await startWorker(() => {
      if (broken) throw new AppError('conflict', 'not yet');
    });
    for (const n of [6, 7]) await bench.messenger.enqueue(note, { n });
    await eventually(async () => (await failed()).length === 2, 'both have failed');
    broken = false;
    await bench.messenger.enqueue(note, { n: 7 }, { keepsFailed: true });
    expect(await failed()).toHaveLength(2);
    await bench.messenger.jobs.retryFailed(note, 'n-6');
    await bench.messenger.enqueue(note, { n: 7 });
    await eventually(async () => (await failed()).length === 0 && (await left()) === 0, 'both are done');
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
    await expect(bench.messenger.jobs.retryFailed(note, 'n-6')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('carry the correlation id of the question that led to them', async () => {
    const start = defineRequest('calc.start', {
      request: Numbered,
      response: z.object({}),
      timeoutMs: 3_000,
    });
    @Controller()
    class Starter {
      @Handles(start)
      async onStart({ n }: { n: number }) {
        await bench.messenger.enqueue(note, { n });
        return {};
      }
    }
    const { Notes, correlationIds } = worker();
    await bench.startReplica('calc', [Starter, Notes]);
    await withCorrelationId('door-1', () => bench.messenger.ask(start, { n: 8 }));
    await eventually(() => correlationIds.length === 1, 'the job is done');
    expect(correlationIds).toEqual(['door-1']);
  });

  it('recur, under a correlation id of their own each time', async () => {
    const { correlationIds } = await startWorker();
    bench.messenger.schedule(note, { n: 9 }, { everyMs: 40 });
    bench.messenger.schedule(note, { n: 9 }, { everyMs: 30 });
    await eventually(() => correlationIds.length >= 3, 'it has run three times');
    expect(new Set(correlationIds).size).toBe(correlationIds.length);
    expect(correlationIds).not.toContain(undefined);
  });

  it('recur again after Redis was emptied, and after it came back empty', async () => {
    const { tries } = await startWorker();
    const messenger = bench.openMessenger({ checkSchedulesEveryMs: 50 });
    messenger.schedule(note, { n: 8 }, { everyMs: 30 });
    await eventually(() => tries.length >= 2, 'it has run');
    for (const lose of [() => bench.look().flushall(), () => bench.redis.restartEmpty()]) {
      await lose();
      const before = tries.length;
      await eventually(() => tries.length >= before + 3, 'it runs again');
    }
    expect(await messenger.jobs.counts(note)).toMatchObject({ failed: 0 });
  });

  it('recur again where only their next run was lost', async () => {
    const { tries } = await startWorker();
    const messenger = bench.openMessenger({ checkSchedulesEveryMs: 50 });
    messenger.schedule(note, { n: 20 }, { everyMs: 300 });
    await eventually(() => tries.length > 0, 'it has run');
    const runs = messenger.jobs.queueOf(note);
    await eventually(async () => {
      const next = (await messenger.jobs.nextRunOf(note, { n: 20 }))?.getTime();
      return (await bench.look().unlink(runs.toKey(`repeat:${note.idOf({ n: 20 })}:${next}`))) === 1;
    }, 'its next run is lost');
    const before = tries.length;
    await eventually(() => tries.length >= before + 2, 'it runs again', 5_000);
  });

  it.each([
    ['the process that keeps them', 50],
    ['the next process', 60_000],
  ])(
    'recur when their next run is as far off as a clock was ahead, by %s',
    async (_, checkSchedulesEveryMs) => {
      const { tries } = await startWorker();
      const clock = setClockBy(86_400_000);
      bench.openMessenger({ checkSchedulesEveryMs }).schedule(note, { n: 10 }, { everyMs: 50 });
      await eventually(() => tries.length >= 2, 'it has run');
      clock.mockRestore();
      if (checkSchedulesEveryMs > 50) bench.openMessenger().schedule(note, { n: 10 }, { everyMs: 50 });
      const before = tries.length;
      await eventually(() => tries.length >= before + 3, 'it runs again', 5_000);
    },
  );

  it('recur once Redis is there, when it was not', async () => {
    const { tries } = await startWorker();
    const messenger = bench.openMessenger({ sendWithinMs: 50 });
    await bench.redis.kill();
    messenger.schedule(note, { n: 7 }, { everyMs: 30 });
    await bench.redis.start();
    await eventually(() => tries.includes(7), 'it has run');
  });

  it('survive a Redis restart, on both sides', async () => {
    const { tries } = await startWorker();
    await bench.messenger.enqueue(note, { n: 11 });
    await eventually(() => tries.length === 1, 'the first is done');
    await bench.redis.kill();
    const whileDown = bench.messenger.enqueue(note, { n: 12 });
    await bench.redis.start();
    await whileDown;
    await eventually(() => tries.includes(12), 'the second is done');
  });

  it('are refused, not swallowed, while Redis is down', async () => {
    const messenger = bench.openMessenger({ sendWithinMs: 150 });
    await bench.redis.kill();
    await expect(messenger.enqueue(note, { n: 13 })).rejects.toMatchObject({ code: 'unavailable' });
    await bench.redis.start();
    await bench.messenger.enqueue(note, { n: 14 });
    expect(await left()).toBe(1);
  });

  it('in work are finished before the service leaves', async () => {
    const door = gate();
    let finished = false;
    const { Notes, tries } = worker(async () => {
      await door.opened;
      finished = true;
    });
    const replica = await bench.startReplica('calc', [Notes]);
    await bench.messenger.enqueue(note, { n: 15 });
    await eventually(() => tries.length === 1, 'the job is in work');
    const closed = replica.close();
    door.open();
    await closed;
    expect(finished).toBe(true);
    expect(await left()).toBe(0);
  });

  it('in work stay with their worker when the clock is set back', async () => {
    const door = gate();
    const { Notes, tries } = worker(() => door.opened);
    for (let replica = 0; replica < 2; replica += 1) await bench.startReplica('calc', [Notes]);
    await bench.messenger.enqueue(note, { n: 42 });
    await eventually(() => tries.length === 1, 'it is in work');
    const clock = setClockBy(-60_000);
    await sleep(4_000); // Twice what it takes to miss a worker that is gone.
    clock.mockRestore();
    expect(tries).toEqual([42]);
    door.open();
    await eventually(async () => (await left()) === 0, 'it is done');
  });

  it('that are delayed come up in their time, also where the clock is set back meanwhile', async () => {
    const { tries } = await startWorker();
    // Done before: by then the replica has looked at its queues.
    await bench.messenger.enqueue(note, { n: 43 });
    await eventually(async () => tries.length === 1 && (await left()) === 0, 'the first is done');
    await bench.messenger.enqueue(note, { n: 44 }, { delayMs: 1_000 });
    await bench.messenger.enqueue(note, { n: 45 }, { delayMs: 3_600_000 });
    const clock = setClockBy(-7_200_000);
    try {
      await eventually(() => tries.includes(44), 'it is done');
      expect(tries).not.toContain(45);
    } finally {
      clock.mockRestore();
    }
  });

  it('that were delayed before the clock was set back and the service started come up in their time', async () => {
    const clock = setClockBy(7_200_000);
    await bench.messenger.enqueue(note, { n: 46 }, { delayMs: 100 });
    clock.mockRestore();
    const { tries } = await startWorker();
    await eventually(() => tries.includes(46), 'it is done');
  });

  /** Puts a delayed job into the queue that can't be read. */
  async function delayUnreadable(withinMs: number): Promise<void> {
    const redis = bench.look();
    const queue = `${bench.keyPrefix}bull:${note.pattern}`;
    await redis.set(`${queue}:odd`, 'no hash');
    await redis.zadd(`${queue}:delayed`, (Date.now() + withinMs) * 0x1000, 'odd');
  }

  it('of a dead worker are taken back though delays can’t be checked, which is tried again', async () => {
    await bench.messenger.enqueue(note, { n: 47 });
    await dieOfAJob([47]);
    await delayUnreadable(3_600_000);
    const { tries } = await startWorker();
    await eventually(() => tries.includes(47), 'it is taken back');
    expect(bench.logged.map(({ message }) => message)).toContain('delays of jobs could not be checked');
    const clock = setClockBy(7_200_000);
    await bench.messenger.enqueue(note, { n: 48 }, { delayMs: 100 });
    clock.mockRestore();
    await eventually(() => tries.includes(48), 'the delay is checked at the next look');
  });

  it('that come up soon are not read to find delays that are too long', async () => {
    await delayUnreadable(20_000);
    const { tries } = await startWorker();
    await bench.messenger.enqueue(note, { n: 49 });
    await eventually(() => tries.length === 1, 'the replica has looked at its queues');
    expect(bench.logged.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('that end their process twice are given up, also recurring ones, and may be tried again', async () => {
    await bench.messenger.enqueue(note, { n: 17 });
    await dieOfAJob([17]);
    await dieOfAJob([17]);
    const { tries } = await startWorker();
    await bench.messenger.enqueue(note, { n: 18 });
    await eventually(async () => (await failed()).length === 1, 'it is given up');
    expect(await failed()).toMatchObject([{ id: 'n-17', reason: 'the service died while doing it' }]);
    await eventually(() => tries.includes(18), 'the next one is done');
    expect(tries).not.toContain(17);
    await bench.messenger.jobs.retryFailed(note, 'n-17');
    await eventually(() => tries.includes(17), 'it is done when it is asked for again');
  });

  it('that recur and end their process twice are given up until their next time', async () => {
    bench.messenger.schedule(note, { n: 19 }, { everyMs: 3_600_000 });
    await dieOfAJob([19]);
    await dieOfAJob([19]);
    const { tries } = await startWorker();
    await eventually(async () => (await failed()).length === 1, 'it is given up');
    expect(tries).toEqual([]);
    expect(await bench.messenger.jobs.counts(note)).toMatchObject({ delayed: 1 });
  });

  it('that were in hand beside the one that ended their process are done', async () => {
    const ns = [30, 31, 32, 33];
    for (const n of ns) await bench.messenger.enqueue(note, { n });
    await dieOfAJob([33]);
    await dieOfAJob([33]);
    const { tries } = await startWorker();
    await eventually(async () => (await left()) === 0, 'all are done or given up', 8_000);
    expect(await failed()).toMatchObject([{ id: 'n-33' }]);
    expect(tries).not.toContain(33);
  });

  it('that took long when another suspect ended their process are done', async () => {
    await bench.messenger.enqueue(note, { n: LONG }, { isSuspect: true });
    const died = dieOfAJob([35]);
    const inWork = async () => (await bench.messenger.jobs.counts(note))['active'] === 1;
    await eventually(inWork, 'the long one is in work', 60_000);
    await bench.messenger.enqueue(note, { n: 35 }, { isSuspect: true });
    await died;
    const { tries } = await startWorker();
    await eventually(async () => (await left()) === 0, 'all are done or given up', 8_000);
    expect(await failed()).toMatchObject([{ id: 'n-35' }]);
    expect(tries).toEqual([LONG]);
  });

  it('that were tried again when a new one ended their process are done', async () => {
    await bench.messenger.enqueue(note, { n: LONGER_THAN_A_LOOK }, { isSuspect: true });
    const died = dieOfAJob([37]);
    const inWork = async () => (await bench.messenger.jobs.counts(note))['active'] === 1;
    await eventually(inWork, 'the suspect is in work', 60_000);
    await bench.messenger.enqueue(note, { n: 37 });
    await died;
    await dieOfAJob([37]);
    const { tries } = await startWorker();
    await eventually(async () => (await left()) === 0, 'all are done or given up', 8_000);
    expect(await failed()).toMatchObject([{ id: 'n-37' }]);
    expect(tries).not.toContain(37);
  });

  it('that are tried again wait for others in work in their place, and not behind their queue', async () => {
    const one = defineJob('calc.one', { payload: Numbered, idOf: ({ n }) => `n-${n}`, concurrency: 1 });
    const done: number[] = [];
    @Controller()
    class Ones {
      @Handles(one)
      async onOne({ n }: { n: number }) {
        done.push(n);
      }
    }
    const { Notes, tries } = worker(() => sleep(400));
    await bench.startReplica('calc', [Notes, Ones as Type]);
    await bench.messenger.enqueue(note, { n: 38 });
    await eventually(() => tries.includes(38), 'another is in work');
    await bench.messenger.enqueue(one, { n: 1 }, { isSuspect: true });
    await bench.messenger.enqueue(one, { n: 2 });
    await eventually(() => done.length === 2, 'both are done');
    expect(done).toEqual([1, 2]);
  });

  it('of many parts are parted when their process died, and the part that ends it is given up', async () => {
    await bench.messenger.enqueue(noteAll, { ns: [1, 2, 3, 4] });
    await dieOfAJob([3]);
    await dieOfAJob([3]);
    const done: number[][] = [];
    @Controller()
    class Batches {
      @Handles(noteAll)
      async onAll({ ns }: { ns: number[] }) {
        done.push(ns);
      }
    }
    await bench.startReplica('calc', [Batches as Type]);
    const given = () => bench.messenger.jobs.listFailed(noteAll);
    await eventually(async () => (await given()).length === 1, 'the part is given up');
    expect(await given()).toMatchObject([{ id: 'ns-3', payload: { ns: [3] } }]);
    const open = async () =>
      Object.values(await bench.messenger.jobs.counts(noteAll)).reduce((a, b) => a + b);
    await eventually(async () => (await open()) === 1, 'the other parts are done');
    expect(done).not.toContainEqual([3]);
    await bench.messenger.jobs.retryFailed(noteAll, 'ns-3');
    await eventually(() => done.some(([n]) => n === 3), 'it is done when it is asked for again');
  });

  it('tell of each piece that ended their process, and go on with the next', async () => {
    await bench.messenger.enqueue(noteEach, { ns: [1, 2, 3, 4] });
    // In company, then alone with each of the two.
    for (let death = 1; death <= 3; death += 1) await dieOfAJob([2, 3]);
    const suspects: JobRun['suspect'][] = [];
    @Controller()
    class Pieces {
      @Handles(noteEach)
      async onEach(_: { ns: number[] }, { suspect }: JobRun) {
        suspects.push(suspect);
      }
    }
    await bench.startReplica('calc', [Pieces as Type]);
    await eventually(() => suspects.length === 1, 'it is done');
    expect(suspects[0]?.endedBy).toEqual(['2', '3']);
    expect(await bench.messenger.jobs.listFailed(noteEach)).toEqual([]);
  });

  it('left by processes that close are done by the third', async () => {
    const door = gate();
    const { Notes, tries } = worker(() => door.opened);
    await bench.messenger.enqueue(note, { n: 20 });
    for (let time = 1; time <= 2; time += 1) {
      const replica = await bench.startReplica('calc', [Notes], { jobs: { drainMs: 50 } });
      await eventually(() => tries.length === time, 'it is in work');
      await replica.close();
    }
    const last = worker();
    await bench.startReplica('calc', [last.Notes]);
    await eventually(() => last.tries.includes(20), 'it is done');
    door.open();
    expect(await failed()).toEqual([]);
  });

  it('that no worker was told of, for whoever was told died, are found and done', async () => {
    const { tries } = await startWorker();
    await untilAWorkerWaits();
    const redis = bench.look();
    const bull = `${bench.keyPrefix}bull:calc.note`;
    // Queued without the marker that a worker is told by: at once, and by a delayed job that is due.
    await bench.messenger.enqueue(note, { n: 16 }, { delayMs: 3_600_000 });
    await redis.zrem(`${bull}:delayed`, 'n-16');
    await redis.lpush(`${bull}:wait`, 'n-16');
    await eventually(() => tries.includes(16), 'the waiting one is done', 4_000);
    await bench.messenger.enqueue(note, { n: 21 }, { delayMs: 3_600_000 });
    await eventually(
      async () => (await redis.exists(`${bull}:marker`)) === 0,
      'the worker knows of its time',
    );
    await redis.zadd(`${bull}:delayed`, Date.now() * 0x1000, 'n-21');
    await eventually(() => tries.includes(21), 'the one that is due is done', 4_000);
    expect(bench.logged).toEqual([]);
  });

  it('of queues that do one at a time are begun when they are ordered, whatever the others do', async () => {
    const kinds = ['a', 'b', 'c', 'd', 'e'];
    const contracts = kinds.map((kind) =>
      defineJob(`calc.one-${kind}`, { payload: Numbered, idOf: ({ n }) => `n-${n}`, concurrency: 1 }),
    );
    const done: string[] = [];
    class Ones {}
    for (const [at, kind] of kinds.entries()) {
      const run = async ({ n }: { n: number }) => void done.push(`${kind}${n}`);
      const method: TypedPropertyDescriptor<typeof run> = { value: run, configurable: true, writable: true };
      Handles(contracts[at]!)(Ones.prototype, kind, method);
      Object.defineProperty(Ones.prototype, kind, method);
    }
    Controller()(Ones);
    // No look at the queues comes in time to help.
    await bench.startReplica('calc', [Ones], { jobs: { stalledCheckMs: 60_000 } });
    const useAll = async (kind: string, contract: (typeof contracts)[number]) => {
      for (let n = 0; n < 30; n += 1) {
        await bench.messenger.enqueue(contract, { n });
        await eventually(() => done.includes(`${kind}${n}`), `${kind}${n} is done`, 5_000);
      }
    };
    await Promise.all(kinds.map((kind, at) => useAll(kind, contracts[at]!)));
  });

  it('are taken from a worker that has gone deaf by a new one', async () => {
    const { Notes, tries } = worker();
    await bench.startReplica('calc', [Notes], { jobs: { deafAfterMs: 90 } });
    await untilAWorkerWaits();
    // A fetch that never comes back.
    const deaf = jest
      .spyOn(Worker.prototype as unknown as { moveToActive(): Promise<unknown> }, 'moveToActive')
      .mockImplementation(() => new Promise(() => undefined));
    await bench.messenger.enqueue(note, { n: 22 });
    await eventually(() => deaf.mock.calls.length > 0, 'the worker fetches in vain');
    deaf.mockRestore();
    await eventually(() => tries.includes(22), 'the new worker does it', 4_000);
    expect(bench.logged.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('it is replaced'),
    );
  });
});
