import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { CATALOGUE } from './catalogue.js';
import { DESCRIPTION_FILE } from './model-folder.js';

export const DEFAULT_HUB = 'https://huggingface.co';
/** Time after which a hub that says nothing counts as out of reach. */
const ANSWER_MS = 20_000;
/** Size of a file that no small encoder comes near: what is larger is not what was asked for. */
const MAX_BYTES = 2 * 2 ** 30;
/** The encoder with its numbers in eight bits: a quarter of the size, for about a hundredth of its quality. */
const QUANTISED = 'onnx/model_quantized.onnx';
/** Files of a model on the hub, with their names in its folder. */
const FILES = [
  { path: QUANTISED, as: 'model.onnx' },
  { path: 'tokenizer.json', as: 'tokenizer.json' },
  { path: 'tokenizer_config.json', as: 'tokenizer_config.json' },
];

const Listing = z.object({
  /** The commit these files are of. */
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      size: z.number().int().positive().max(MAX_BYTES),
      lfs: z.object({ sha256: z.string() }).nullish(),
    }),
  ),
});

/** Progress of a download, of all files together. */
export interface PullProgress {
  bytes: number;
  total: number;
}

/** Tells that a model could not be fetched; the message says why, and what to do. */
export class PullFailure extends Error {
  override readonly name = 'PullFailure';
}

/**
 * Fetches a model of the catalogue into its folder, which appears whole or not at all. Each file is checked against the
 * size and the sum that the hub states.
 * @returns the folder
 * @throws PullFailure
 */
export async function pullModel(
  name: string,
  {
    directory,
    hub = DEFAULT_HUB,
    onProgress = () => undefined,
  }: { directory: string; hub?: string; onProgress?: (progress: PullProgress) => void },
): Promise<string> {
  const entry = Object.hasOwn(CATALOGUE, name) ? CATALOGUE[name] : undefined;
  if (!entry)
    throw new PullFailure(`${name} is not in the catalogue; it has ${Object.keys(CATALOGUE).join(', ')}`);
  const folder = join(directory, name);
  const partial = `${folder}.partial`;
  const files = await listFiles(hub, name, entry.repository, folder);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let bytes = 0;
  try {
    await rm(partial, { recursive: true, force: true });
    if (await mkdir(directory, { recursive: true })) await chmod(directory, 0o755);
    await mkdir(partial);
    for (const file of files) {
      await download(file, join(partial, file.as), (more) => onProgress({ bytes: (bytes += more), total }));
    }
    await writeFile(join(partial, DESCRIPTION_FILE), `${JSON.stringify(entry.description, null, 2)}\n`);
    await makeReadable(partial);
    await rm(folder, { recursive: true, force: true });
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error instanceof PullFailure
      ? error
      : new PullFailure(`${name} could not be fetched: ${reasonOf(error)}`, { cause: error });
  }
  return folder;
}

/** Lets every user read a model, whatever the umask: in a container another user embeds with it, and it is public. */
async function makeReadable(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o644);
  await chmod(folder, 0o755);
}

interface HubFile {
  url: string;
  as: string;
  size: number;
  sha256: string | null;
}

async function listFiles(hub: string, name: string, repository: string, folder: string): Promise<HubFile[]> {
  const answer = await ask(`${hub}/api/models/${repository}/revision/main?blobs=true`).catch(
    (cause: unknown) => {
      throw new PullFailure(
        `the hub ${hub} is not reached (${reasonOf(cause)}). Fetch ${repository} elsewhere, and copy its ${QUANTISED} as model.onnx, its tokenizer.json and its tokenizer_config.json to ${folder}`,
        { cause },
      );
    },
  );
  const listing = Listing.safeParse(await answer.json().catch(() => null));
  if (!listing.success)
    throw new PullFailure(`the hub ${hub} lists the files of ${name} in a form unknown here`);
  const { sha, siblings } = listing.data;
  return FILES.map(({ path, as }) => {
    const found = siblings.find(({ rfilename }) => rfilename === path);
    if (!found) throw new PullFailure(`the hub ${hub} has no ${path} in ${repository}`);
    const url = `${hub}/${repository}/resolve/${sha}/${path}`;
    return { url, as, size: found.size, sha256: found.lfs?.sha256 ?? null };
  });
}

async function download(
  { url, as, size, sha256 }: HubFile,
  path: string,
  onBytes: (more: number) => void,
): Promise<void> {
  const { body } = await ask(url);
  if (!body) throw new PullFailure(`${as} came empty`);
  const hash = createHash('sha256');
  let received = 0;
  const count = new Transform({
    transform(chunk: Uint8Array, _, done) {
      received += chunk.length;
      hash.update(chunk);
      onBytes(chunk.length);
      done(received > size ? new PullFailure(`${as} is longer than the hub says`) : null, chunk);
    },
  });
  await pipeline(Readable.fromWeb(body), count, createWriteStream(path));
  if (received !== size) throw new PullFailure(`${as} broke off after ${received} of ${size} bytes`);
  if (sha256 !== null && hash.digest('hex') !== sha256)
    throw new PullFailure(`${as} is not what it should be: its SHA-256 differs`);
}

/** Asks the hub. The time is for the beginning of its answer: the body may take longer. */
async function ask(url: string): Promise<Response> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error('no answer in 20 s')), ANSWER_MS);
  try {
    const answer = await fetch(url, { signal: controller.signal });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    return answer;
  } finally {
    clearTimeout(timer);
  }
}

/** Tells the reason of an error, which `fetch` hides behind "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message || String(error);
}
