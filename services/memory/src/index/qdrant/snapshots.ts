import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { PieceReader } from './piece-reader.js';

/** A server, and the prefix of our collections on it. */
export interface SnapshotSource {
  url: string;
  apiKey: string | undefined;
  prefix: string;
}

/** Line before each snapshot of a file: its collection without the prefix, and how many bytes follow. */
const Header = z.strictObject({
  space: z.string().regex(/^[A-Za-z0-9_.-]{1,200}$/),
  bytes: z.number().int().positive(),
});

/** Writes a snapshot of each collection, one after another. Returns how many there are. */
export async function writeSnapshots(source: SnapshotSource, to: Writable): Promise<number> {
  const names = await collectionsOf(source);
  for (const name of names) {
    const at = `/collections/${name}/snapshots`;
    const { name: file } = (
      (await (await ask(source, 'POST', `${at}?wait=true`)).json()) as { result: { name: string } }
    ).result;
    try {
      const content = await ask(source, 'GET', `${at}/${file}`);
      const bytes = Number(content.headers.get('content-length'));
      to.write(`${JSON.stringify(Header.parse({ space: name.slice(source.prefix.length), bytes }))}\n`);
      await pipeline(Readable.fromWeb(content.body as never), to, { end: false });
    } finally {
      await ask(source, 'DELETE', `${at}/${file}?wait=true`);
    }
  }
  return names.length;
}

/**
 * Replaces all collections by those of a file; one that the file does not have is removed. Returns how many it has. Upkeep
 * mends what differs from the rows afterwards.
 * @throws Error for a file that is not whole, when the collections before its break are replaced already
 */
export async function readSnapshots(source: SnapshotSource, from: AsyncIterable<Buffer>): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'kith-snapshots-'));
  const restored = new Set<string>();
  try {
    const reader = new PieceReader(from);
    for (;;) {
      const line = await reader.line();
      if (line === null) break;
      const { space, bytes } = Header.parse(JSON.parse(line));
      const file = join(directory, 'snapshot');
      await pipeline(reader.bytes(bytes), createWriteStream(file));
      const form = new FormData();
      form.set('snapshot', await openAsBlob(file), 'snapshot');
      const name = source.prefix + space;
      await ask(source, 'POST', `/collections/${name}/snapshots/upload?priority=snapshot&wait=true`, form);
      restored.add(name);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  if (restored.size === 0) return 0;
  for (const name of await collectionsOf(source))
    if (!restored.has(name)) await ask(source, 'DELETE', `/collections/${name}`);
  return restored.size;
}

async function collectionsOf(source: SnapshotSource): Promise<string[]> {
  const answer = (await (await ask(source, 'GET', '/collections')).json()) as {
    result: { collections: { name: string }[] };
  };
  return answer.result.collections.map(({ name }) => name).filter((name) => name.startsWith(source.prefix));
}

async function ask(
  { url, apiKey }: SnapshotSource,
  method: string,
  path: string,
  body?: FormData,
): Promise<Response> {
  const response = await fetch(url.replace(/\/$/, '') + path, {
    method,
    headers: apiKey === undefined ? {} : { 'api-key': apiKey },
    ...(body && { body }),
  });
  if (!response.ok) throw new Error(`Qdrant at ${url} answered ${response.status} to ${method} ${path}`);
  return response;
}
