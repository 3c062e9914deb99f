import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QdrantDouble } from '@kith/testing';
import { ask, compareServers } from '../qdrant/compare-servers.js';
import { EXCHANGES } from '../qdrant/exchanges.js';

describe('the comparison of a Qdrant server with the double', () => {
  let double: QdrantDouble;
  let keyed: QdrantDouble;
  /** Passes requests on to the second, and answers one of them otherwise. */
  let odd: Server;

  beforeAll(async () => {
    double = await QdrantDouble.start();
    keyed = await QdrantDouble.start({ apiKey: 'secret' });
    odd = createServer((incoming, outgoing) => {
      const passed = request(
        keyed.url + incoming.url!,
        { method: incoming.method, headers: incoming.headers },
        (answer) => {
          if (incoming.url!.endsWith('/points/scroll')) {
            answer.resume();
            outgoing.end('{"result":{"points":[]}}');
          } else {
            outgoing.writeHead(answer.statusCode!);
            answer.pipe(outgoing);
          }
        },
      );
      incoming.pipe(passed);
    });
    odd.listen(0, '127.0.0.1');
    await once(odd, 'listening');
  });
  afterAll(async () => {
    odd.close();
    await Promise.all([double.stop(), keyed.stop()]);
  });

  const one = () => ({ url: double.url, apiKey: undefined, collection: 'kith-compare-1' });

  it('finds nothing where both answer alike, with a key and under other names', async () => {
    const other = { url: keyed.url, apiKey: 'secret', collection: 'kith-compare-2' };
    expect(await compareServers(one(), other, EXCHANGES)).toEqual([]);
    // Each of them was understood: what is answered with an error is meant to be.
    const statuses = [];
    for (const exchange of EXCHANGES) statuses.push((await ask(one(), exchange)).status);
    expect(statuses.filter((status) => status !== 200)).toEqual([404, 409, 400]);
  });

  it('names what is answered otherwise', async () => {
    const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
    const other = { url, apiKey: 'secret', collection: 'kith-compare-3' };
    const different = await compareServers(one(), other, EXCHANGES);
    expect(different.map(({ name }) => name)).toEqual(['vectors by id', 'the first page', 'the next page']);
  });
});
