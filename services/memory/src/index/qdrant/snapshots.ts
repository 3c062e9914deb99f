import { randomUUID } from 'node:crypto';
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
 * repairs differences from the rows afterwards.
 * @throws Error for a file that is not whole, when the collections before its break are replaced already
 */
export async function readSnapshots(source: SnapshotSource, from: AsyncIterable<Buffer>): Promise<number> {
  const restored = new Set<string>();
  const reader = new PieceReader(from);
  for (;;) {
    const line = await reader.line();
    if (line === null) break;
    const { space, bytes } = Header.parse(JSON.parse(line));
    const name = source.prefix + space;
    await upload(source, name, reader.bytes(bytes), bytes);
    restored.add(name);
  }
  if (restored.size === 0) return 0;
  for (const name of await collectionsOf(source))
    if (!restored.has(name)) await ask(source, 'DELETE', `/collections/${name}`);
  return restored.size;
}

/**
 * Uploads a snapshot as it comes: a container's temporary files are in its memory, which has no room for one.
 * @throws Error also for one that breaks off, whose form Qdrant never sees the end of
 */
async function upload(source: SnapshotSource, name: string, snapshot: AsyncIterable<Buffer>, bytes: number) {
  const boundary = `kith-${randomUUID()}`;
  const head = Buffer.from(
    [
      `--${boundary}`,
      'Content-Disposition: form-data; name="snapshot"; filename="snapshot"',
      'Content-Type: application/octet-stream\r\n\r\n',
    ].join('\r\n'),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const form = async function* () {
    yield head;
    yield* snapshot;
    yield tail;
  };
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(head.length + bytes + tail.length),
  };
  await ask(source, 'POST', `/collections/${name}/snapshots/upload?priority=snapshot&wait=true`, {
    headers,
    body: ReadableStream.from(form()),
  }).catch((error: unknown) => {
    // The cause of "fetch failed" says what the file lacks.
    const { cause } = error as Error;
    throw cause instanceof Error && cause.message ? cause : error;
  });
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
  { body, headers }: { body?: ReadableStream; headers?: Record<string, string> } = {},
): Promise<Response> {
  const response = await fetch(url.replace(/\/$/, '') + path, {
    method,
    headers: { ...headers, ...(apiKey !== undefined && { 'api-key': apiKey }) },
    ...(body && { body, duplex: 'half' }),
  });
  if (!response.ok) throw new Error(`Qdrant at ${url} answered ${response.status} to ${method} ${path}`);
  return response;
}
