import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { PARENT_HEADER } from '@kith/contracts';
import { StreamsServer } from '@kith/messaging';
import { freePort } from './testing-port.js';
import { startRedis } from './testing-redis.js';

// A service in a process of its own, from the built library, that takes its time to start and to drain.
const SERVICE = `
  import { runService } from '@kith/service-host';
  import { baseSettings } from '@kith/service-host/common-settings';
  import { Controller, Get, Module } from '@nestjs/common';
  const [startMs, drainMs] = process.argv.slice(1).map(Number);
  const passed = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  class Words { word() { return 'hello'; } }
  Get('word')(Words.prototype, 'word', Object.getOwnPropertyDescriptor(Words.prototype, 'word'));
  Controller()(Words);
  class Slow {
    onApplicationBootstrap() { console.log('starts'); return passed(startMs); }
    beforeApplicationShutdown() { return passed(drainMs); }
  }
  Module({ controllers: [Words] })(Slow);
  const settings = baseSettings('PORT', 1);
  const effect = { apart: 'nothing', together: 'nothing' };
  await runService({ name: 'slow', settings, module: () => Slow, withoutRedis: effect });
`;

// A service that is stopped while it works, and whose module then reports the usage of that to a gateway that has gone.
const WORKER = `
  import { personalityContract } from '@kith/contracts';
  import { Handles, Messenger } from '@kith/messaging';
  import { runService, UsageBook } from '@kith/service-host';
  import { baseSettings } from '@kith/service-host/common-settings';
  import { Controller, Inject, Module } from '@nestjs/common';
  const book = new UsageBook();
  const usage = { promptTokens: 1, completionTokens: 1 };
  class Jobs {
    async appraise() {
      console.log('job begins');
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      book.note({ role: 'fast', model: 'host:model', account: {}, usage, usageIsEstimated: false, cost: 1 });
      console.log('job ends');
    }
  }
  const appraise = Object.getOwnPropertyDescriptor(Jobs.prototype, 'appraise');
  Handles(personalityContract.appraise)(Jobs.prototype, 'appraise', appraise);
  Object.defineProperty(Jobs.prototype, 'appraise', appraise);
  Controller()(Jobs);
  class Working {
    constructor(messenger) { this.messenger = messenger; }
    async onApplicationBootstrap() {
      book.reportTo(this.messenger, { warn: ({ err, waiting }) => console.log(waiting + ' unreported: ' + err.message) });
      await this.messenger.enqueue(personalityContract.appraise, { turnIds: ['0197b7a0-0000-7000-8000-000000000001'] });
    }
    async onApplicationShutdown() {
      const began = performance.now();
      await book.close();
      console.log('waited ' + (performance.now() - began < 2_000 ? 'shortly' : 'long'));
    }
  }
  Inject(Messenger)(Working, undefined, 0);
  Module({ controllers: [Jobs] })(Working);
  await runService({ name: 'personality', settings: baseSettings('PORT', 1), module: () => Working });
`;

// A service that tells which hour it takes for one that New York's clock skips, in itself and in a thread.
const READER = `
  import { once } from 'node:events';
  import { Worker } from 'node:worker_threads';
  import { runService } from '@kith/service-host';
  import { baseSettings } from '@kith/service-host/common-settings';
  import { Module } from '@nestjs/common';
  const hour = 'new Date(2026, 2, 8, 2, 30).getHours()';
  class Clock {
    async onApplicationBootstrap() {
      const thread = new Worker('require("node:worker_threads").parentPort.postMessage(' + hour + ')', { eval: true, execArgv: [] });
      console.log('hours', eval(hour), ...(await once(thread, 'message')));
    }
  }
  Module({})(Clock);
  const effect = { apart: 'nothing', together: 'nothing' };
  await runService({ name: 'clock', settings: baseSettings('PORT', 1), module: () => Clock, withoutRedis: effect });
`;

async function startService({ script = SERVICE, redisPort = 0, startMs = 0, drainMs = 0, timeZone = 'UTC' }) {
  const port = await freePort();
  const [args, lines] = [
    ['--input-type=module', '-e', script, String(startMs), String(drainMs)],
    [] as string[],
  ];
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: String(port),
    TZ: timeZone,
    REDIS_URL: `redis://127.0.0.1:${redisPort || (await freePort())}`,
  };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.on('data', (words) => lines.push(String(words)));
  const ended = once(child, 'exit');
  const said = (words: string) => lines.join('').includes(words);
  const until = async (words: string) => {
    while (!said(words)) await once(child.stdout, 'data');
  };
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}/${path}`)).status;
  return { child, ended, lines, port, said, until, ask };
}

/** Hears, as the gateway does when it has started, what usage was left to it. */
async function heardAtNextStart(redisPort: number): Promise<unknown> {
  const log = () => undefined;
  const gateway = new StreamsServer({
    redisUrl: `redis://127.0.0.1:${redisPort}`,
    group: 'gateway',
    logger: { debug: log, info: log, warn: log, error: log },
  });
  const heard = new Promise((resolve) => {
    const hear = (left: unknown) => {
      resolve(left);
      return Promise.resolve();
    };
    gateway.addHandler('gateway.usage-left', hear, true);
  });
  gateway.listen(log);
  const left = await heard;
  await gateway.close();
  return left;
}

it('tells who started it', async () => {
  const { child, until, port } = await startService({});
  await until('listening');
  const { headers } = await fetch(`http://127.0.0.1:${port}/health/ready`);
  expect(headers.get(PARENT_HEADER)).toBe(String(process.pid));
  child.kill('SIGKILL');
});

it('that drains is not ready, and takes nothing more over HTTP', async () => {
  const { child, ended, until, ask } = await startService({ drainMs: 3_000 });
  await until('ready for messages');
  const all = () => Promise.all(['health/live', 'health/ready', 'word'].map(ask));
  while ((await ask('health/ready')) !== 200);
  expect(await all()).toEqual([200, 200, 200]);
  child.kill('SIGTERM');
  await until('draining');
  while ((await ask('health/ready')) === 200);
  expect(await all()).toEqual([200, 503, 503]);
  expect(await ended).toEqual([0, null]);
});

it('that is busy loses none of a thousand connections that are made meanwhile', async () => {
  const { child, ended, until, port } = await startService({});
  await until('ready for messages');
  child.kill('SIGSTOP');
  const waiting = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1'));
  let made = 0;
  const answers = waiting.map(async (socket) => {
    socket.once('connect', () => (made += 1));
    socket.write('GET /word HTTP/1.1\r\nHost: kith\r\nConnection: close\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString().split('\r\n')[0];
  });
  // One that the kernel has no place for is not made before another is taken, however long it is tried.
  const deadline = performance.now() + 5_000;
  while (made < waiting.length && performance.now() < deadline) await sleep(10);
  const madeMeanwhile = made;
  child.kill('SIGCONT');
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']));
  // Other systems let fewer wait, whatever a program asks for.
  expect(madeMeanwhile).toBe(process.platform === 'linux' ? 1_000 : madeMeanwhile);
  child.kill('SIGTERM');
  await ended;
});

it('that is stopped while it starts reads no messages', async () => {
  const { child, ended, until, said } = await startService({ startMs: 1_000, drainMs: 3_000 });
  await until('starts');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect([said('draining'), said('ready for messages')]).toEqual([true, false]);
});

it('that is stopped while it works has done so when its module stops, which leaves its usage to a gateway that has gone and waits for none', async () => {
  const redisPort = await freePort();
  const endRedis = await startRedis(redisPort);
  const { child, ended, lines, until } = await startService({ script: WORKER, redisPort });
  await until('job begins');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await heardAtNextStart(redisPort)).toMatchObject({ usage: [{ calls: 1, cost: 1 }] });
  endRedis();
  const told = lines.join('').split('\n');
  const after = told.slice(told.indexOf('job ends')).filter((line) => !line.startsWith('{'));
  expect(after).toEqual([
    'job ends',
    '1 unreported: gateway is away: gateway.note-usage was not asked',
    'waited shortly',
    '',
  ]);
});

it('counts in UTC, in its threads as well, whatever the zone of the machine', async () => {
  const { child, ended, lines, until } = await startService({ script: READER, timeZone: 'America/New_York' });
  await until('hours');
  child.kill('SIGTERM');
  await ended;
  expect(lines.join('').split('\n')).toContain('hours 2 2');
});
