import { hash } from 'node:crypto';
import type { ScriptedRequest } from './scripted-request.js';

/** The answer to an embedding request: texts that share words lie close, the same text always the same. */
export function embeddingAnswer(request: ScriptedRequest): unknown {
  const { api, body, model, texts } = request;
  if (api === 'gemini') {
    const requests = body['requests'] as { outputDimensionality?: number }[];
    // 3,072 is the model's own length; shorter ones do not come normalised from the real API.
    const vectors = texts.map((text, index) =>
      vectorOf(text, requests[index]?.outputDimensionality ?? 3_072),
    );
    return { embeddings: vectors.map((values) => ({ values })) };
  }
  const dimensions = typeof body['dimensions'] === 'number' ? body['dimensions'] : 1_536;
  const encode = body['encoding_format'] === 'base64' ? base64Of : (vector: number[]) => vector;
  const tokens = texts.join(' ').split(/\s+/).length;
  return {
    object: 'list',
    model,
    data: texts.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: encode(vectorOf(text, dimensions)),
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const digest = hash('sha256', word, 'buffer');
    // Eight places a word: two different words hardly ever share more than one.
    for (let place = 0; place < 8; place++) {
      const index = digest.readUInt16LE(place * 2) % dimensions;
      vector[index] = (vector[index] ?? 0) + (digest.readUInt8(16 + place) % 2 === 0 ? 1 : -1);
    }
  }
  return vector;
}

function base64Of(vector: number[]): string {
  const floats = Float32Array.from(vector);
  return Buffer.from(floats.buffer).toString('base64');
}
