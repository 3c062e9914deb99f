import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { findAddresses } from './find-addresses.js';

/** A name server that gives every name one IPv4 address and no other; or never answers. */
async function nameServer(answers: boolean) {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let asked = 0;
  socket.on('message', (query, { port, address }) => {
    asked += 1;
    if (!answers) return;
    // Behind the header: the name, which ends with a zero, then the type and the class.
    const end = query.indexOf(0, 12) + 5;
    const isFour = query.readUInt16BE(end - 4) === 1;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(isFour ? 1 : 0, 6);
    header.writeUInt16BE(0, 8);
    header.writeUInt16BE(0, 10);
    const record = Buffer.from('c00c00010001000000000004cb007107', 'hex');
    socket.send(
      Buffer.concat([header, query.subarray(12, end), isFour ? record : Buffer.alloc(0)]),
      port,
      address,
    );
  });
  return {
    servers: [`127.0.0.1:${socket.address().port}`],
    asked: () => asked,
    close: () => new Promise<void>((resolve) => socket.close(resolve)),
  };
}

it('asks DNS for the name of a stranger', async () => {
  const dns = await nameServer(true);
  try {
    const signal = new AbortController().signal;
    const order = { isTrusted: false, signal, servers: dns.servers };
    expect(await findAddresses('some.example', order)).toEqual(['203.0.113.7']);
  } finally {
    await dns.close();
  }
});

it('waits for no name server once its time is over, and lets nothing go on', async () => {
  const dns = await nameServer(false);
  try {
    const time = new AbortController();
    const found = findAddresses('some.example', {
      isTrusted: false,
      signal: time.signal,
      servers: dns.servers,
    });
    setTimeout(() => time.abort(), 50);
    await expect(found).rejects.toThrow(/ECANCELLED/);
    expect(dns.asked()).toBe(2);
    const late = { isTrusted: false, signal: time.signal, servers: dns.servers };
    await expect(findAddresses('some.example', late)).rejects.toThrow();
    expect(dns.asked()).toBe(2);
  } finally {
    await dns.close();
  }
});

it('finds an operator’s own name as the system does', async () => {
  const signal = new AbortController().signal;
  const own = await findAddresses('localhost', { isTrusted: true, signal });
  expect(['127.0.0.1', '::1']).toEqual(expect.arrayContaining([...own]));
});
