import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Random } from '../faults/random.ts';
import { hostileMessage, hostileValue, hostileWord } from './hostile-values.ts';
import { mutate } from './make-value.ts';

const ANSWER_MS = 5_000;

/** Opens a WebSocket, sends what it should not be sent, and asks in the end whether it still answers. */
export async function playSocket(
  url: string,
  keys: readonly string[],
  random: Random,
): Promise<string | null> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws`);
  socket.on('error', () => undefined); // a connection that it ends is in order
  const opened = await Promise.race([
    // Refused where the service has just died, which is told by itself.
    once(socket, 'open').then(
      () => true,
      () => false,
    ),
    sleep(ANSWER_MS).then(() => false),
  ]);
  if (!opened) return 'no WebSocket was opened within 5 s';
  try {
    if (random.chance(0.8)) send(socket, { type: 'hello', key: random.pick(keys) });
    for (let left = random.between(1, 8); left > 0 && socket.readyState === WebSocket.OPEN; left -= 1)
      sendFrame(socket, keys, random);
    return await answersPing(socket);
  } finally {
    socket.terminate();
  }
}

function sendFrame(socket: WebSocket, keys: readonly string[], random: Random): void {
  const frame = random.pick<Record<string, unknown>>([
    { type: 'hello', key: random.pick(keys) },
    { type: 'message', message: hostileMessage(random), messageId: `m${random.between(0, 5)}` },
    { type: 'message', message: 'hello', conversation: hostileWord(random) },
    { type: 'stop', conversation: 'main' },
    { type: 'ping' },
  ]);
  const text =
    (JSON.stringify(random.chance(0.6) ? mutate(frame, random) : frame) as string | undefined) ?? '';
  random.pick([
    () => socket.send(text),
    () => socket.send(text),
    () => socket.send(text.slice(0, -1)),
    () => socket.send(Buffer.from(text), { binary: true }),
    () => socket.send(Buffer.from([0x22, 0xff, 0xfe, 0x22]), { binary: false }),
    () => socket.send((JSON.stringify(hostileValue(random)) as string | undefined) ?? ''),
    () => socket.send('x'.repeat(random.pick([10, 60_000, 70_000]))),
    () => socket.send('['.repeat(30_000)),
    () => socket.ping(Buffer.alloc(125, 'x')),
    () => {
      socket.send(text.slice(0, 3), { fin: false });
      socket.send(text.slice(3), { fin: true });
    },
  ])();
}

/** Asks whether a socket still answers. One that was closed for what it sent has answered, too. */
export async function answersPing(socket: WebSocket, withinMs = ANSWER_MS): Promise<string | null> {
  send(socket, { type: 'ping' });
  const pong = new Promise<null>((resolve) => {
    socket.on('message', (data) => {
      if ((data as Buffer).includes('"pong"')) resolve(null);
    });
    socket.on('close', () => resolve(null));
    if (socket.readyState !== WebSocket.OPEN) resolve(null);
  });
  const unanswered = `a WebSocket did not answer a ping within ${withinMs} ms`;
  return Promise.race([pong, sleep(withinMs, unanswered, { ref: false })]);
}

function send(socket: WebSocket, frame: unknown): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
}
