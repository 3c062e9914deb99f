import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { freePort } from './testing-port.js';

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

async function startService({ startMs = 0, drainMs = 0 }) {
  const port = await freePort();
  const [args, lines] = [
    ['--input-type=module', '-e', SERVICE, String(startMs), String(drainMs)],
    [] as string[],
  ];
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: String(port),
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
  };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.on('data', (words) => lines.push(String(words)));
  const ended = once(child, 'exit');
  const said = (words: string) => lines.join('').includes(words);
  const until = async (words: string) => {
    while (!said(words)) await once(child.stdout, 'data');
  };
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}/${path}`)).status;
  return { child, ended, said, until, ask };
}

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

it('that is stopped while it starts reads no messages', async () => {
  const { child, ended, until, said } = await startService({ startMs: 1_000, drainMs: 3_000 });
  await until('starts');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect([said('draining'), said('ready for messages')]).toEqual([true, false]);
});
