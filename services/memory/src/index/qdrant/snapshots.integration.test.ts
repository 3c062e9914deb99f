import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QdrantServer } from '@kith/testing';
import { QdrantIndex } from './qdrant-index.js';
import { readSnapshots, writeSnapshots } from './snapshots.js';

describe('snapshots of the collections', () => {
  const SPACE = { id: 'space-1', dimensions: 2, kind: 'semantic' } as const;
  const LATER = { ...SPACE, id: 'space-2' };
  const PERSON = randomUUID();
  let server: QdrantServer;
  let other: QdrantServer;

  beforeAll(async () => {
    [server, other] = [await QdrantServer.open('snapshots'), await QdrantServer.open('snapshots')];
  });
  afterAll(() => Promise.all([server.stop(), other.stop()]));

  const indexOn = ({ url, apiKey, prefix }: QdrantServer) =>
    new QdrantIndex({ url, apiKey, collectionPrefix: prefix });
  const point = (text: string) => ({
    id: randomUUID(),
    personId: PERSON,
    companionId: 'wren',
    audience: 'direct' as const,
    vector: Float32Array.of(1, 0),
    terms: [text],
    conversation: null,
    saidAt: new Date(0),
    digest: text,
  });
  const written = async (from: QdrantServer) => {
    const stream = new PassThrough();
    const [content] = await Promise.all([
      buffer(stream),
      writeSnapshots(from, stream).then(() => stream.end()),
    ]);
    return content;
  };

  it('bring back what there was, under another prefix, and remove what came later', async () => {
    const index = indexOn(server);
    const [tea, rain] = [point('tea'), point('rain')];
    await index.upsert(SPACE, [tea, rain]);
    const file = await written(server);

    const elsewhere = indexOn(other);
    await elsewhere.upsert(SPACE, [point('forgotten')]);
    await elsewhere.upsert(LATER, [point('later')]);
    // Cut as a pipe may cut it.
    const pieces = Array.from({ length: Math.ceil(file.length / 7) }, (_, n) =>
      file.subarray(7 * n, 7 * n + 7),
    );
    expect(await readSnapshots(other, Readable.from(pieces))).toBe(1);

    const again = indexOn(other);
    const scope = { personId: PERSON, companionId: 'wren', audience: 'direct' as const };
    const { lexical, dense } = await again.candidates(SPACE.id, scope, {
      vector: Float32Array.of(1, 0),
      terms: ['tea'],
      limit: 5,
      kind: 'lexical' as const,
    });
    expect(lexical.map(({ id }) => id)).toEqual([tea.id]);
    expect(dense.map(({ id }) => id).sort()).toEqual([tea.id, rain.id].sort());
    expect(await again.count(LATER.id)).toBe(0);
    expect((await other.points()).map(({ id }) => id).sort()).toEqual([tea.id, rain.id].sort());
  });

  it('are not left on the server', async () => {
    await written(server);
    const at = `${server.url}/collections/${server.prefix}${SPACE.id}/snapshots`;
    const response = await fetch(at, { headers: { 'api-key': server.apiKey! } });
    expect(await response.json()).toMatchObject({ result: [] });
  });

  it('refuse a file that is cut off, or another one', async () => {
    const file = await written(server);
    const reading = (content: Buffer) => readSnapshots(other, Readable.from([content]));
    await expect(reading(file.subarray(0, -3))).rejects.toThrow('not whole');
    await expect(reading(file.subarray(0, 10))).rejects.toThrow('not whole');
    await expect(reading(Buffer.alloc(5_000, 'x'))).rejects.toThrow('not a file of snapshots');
    expect(await reading(Buffer.alloc(0))).toBe(0);
  });

  it('are sent on as they come, however large they are', async () => {
    let isSent: () => void;
    const sent = new Promise<void>((resolve) => (isSent = resolve));
    const received: Buffer[] = [];
    const qdrant = createServer((request, response) => {
      request.on('data', (piece: Buffer) => {
        received.push(piece);
        if (Buffer.concat(received).includes('first half')) isSent();
      });
      request.on('end', () => response.end('{"result":{"collections":[]}}'));
    }).listen(0, '127.0.0.1');
    await once(qdrant, 'listening');
    const url = `http://127.0.0.1:${(qdrant.address() as AddressInfo).port}`;
    const file = async function* () {
      yield Buffer.from('{"space":"space-1","bytes":22}\nfirst half,');
      await sent;
      yield Buffer.from('second half');
    };
    try {
      expect(await readSnapshots({ url, apiKey: undefined, prefix: '' }, file())).toBe(1);
      expect(Buffer.concat(received).toString()).toContain('first half,second half\r\n--');
    } finally {
      qdrant.closeAllConnections();
      qdrant.close();
    }
  });
});
