import { connect } from 'node:net';
import type { Random } from '../faults/random.ts';
import { hostileWord } from './hostile-values.ts';

/** Past this a server that keeps a hopeless connection open is let go; it has limits of its own for that. */
const LET_GO_MS = 1_000;

/** Bytes no HTTP client would send: some Node's parser refuses, some it may take for two requests. */
const BYTES: readonly ((random: Random) => string)[] = [
  () => '\0\0\0\0\r\n\r\n',
  (random) => `GET ${hostileWord(random)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  () => 'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  () => 'GET //  HTTP/1.1\r\n\r\n',
  () => 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n',
  () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  () => `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
  () => `GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(5_000)}\r\n`,
  () => `GET /${'a'.repeat(30_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  () =>
    'POST /v1/chat HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
  () =>
    'POST /v1/chat HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n',
  () => 'POST /v1/chat HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  () =>
    'POST /v1/chat HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n{"a":',
  () => 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n a: folded\r\n\r\n',
  () =>
    'GET /v1/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 99\r\n\r\n',
  () => 'GET // HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  () => 'GET /v1/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
  () =>
    'GET /v1/ws?a=%zz HTTP/1.1\r\nHost: [\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99\r\n\r\n\x81\xff',
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
];

/** Sends bytes of its own, and tells what is wrong with the first answer; null when it is in order. */
export function sendRawHttp(url: string, random: Random): Promise<string | null> {
  const bytes = random.pick(BYTES)(random);
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let answer = '';
    const end = () => {
      socket.destroy();
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
      resolve(status >= 500 ? `status ${status} for ${JSON.stringify(bytes.slice(0, 200))}` : null);
    };
    socket.setTimeout(LET_GO_MS, end);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      // Whoever asked for the connection to stay would wait on.
      if (answer.includes('\r\n\r\n')) end();
    });
    socket.on('close', end);
    socket.on('error', end);
    socket.write(Buffer.from(bytes, 'latin1'));
  });
}
