import { describe, expect, it } from '@jest/globals';
import { ModelError } from '../errors/model-error.js';
import type { StreamPart } from '../provider.js';
import { readStream, saying, type PieceReader } from './read-stream.js';

const END: StreamPart = { type: 'end', finishReason: 'stop', usage: null };

/** Parts of a host that sends these pieces, and how many of them were read. */
async function readAll(pieces: string[], close?: PieceReader<string>['close']) {
  let read = 0;
  const source = async function* () {
    for (const piece of pieces) {
      read++;
      yield piece;
    }
  };
  const parts: StreamPart[] = [];
  const reader = {
    read: (piece: string) => (piece === 'end' ? [END] : saying('text', piece)),
    ...(close && { close }),
  };
  for await (const part of readStream('host', source(), reader)) parts.push(part);
  return { parts, read };
}

describe('readStream', () => {
  it('reads nothing after the end', async () => {
    const parts = [{ type: 'text', text: 'Hi' }, END];
    expect(await readAll(['Hi', '', 'end', 'more'])).toEqual({ parts, read: 3 });
  });

  it('ends with the stream where the host has no piece for it', async () => {
    expect(await readAll([''], () => [END])).toEqual({ parts: [END], read: 1 });
  });

  it('takes a stream without an end for cut, unless it never began', async () => {
    await expect(readAll([''])).rejects.toMatchObject({ kind: 'cut-stream' });
    await expect(readAll([''], () => null)).rejects.toMatchObject({ kind: 'cut-stream' });
    expect(await readAll([], () => [END])).toEqual({ parts: [], read: 0 });
  });

  it.each([
    ['stops', 'Hi'],
    ['throws', 'refused'],
  ])('ends the request of a host whose reader %s', async (_what, piece) => {
    let isEnded = false;
    const source = async function* () {
      try {
        yield piece;
        yield piece;
      } finally {
        isEnded = true;
      }
    };
    const read = (said: string) => {
      if (said === 'refused') throw new ModelError('refused', 'host: the model refused');
      return saying('text', said);
    };
    const parts = readStream('host', source(), { read });
    await parts.next().catch(() => undefined);
    await parts.return(undefined);
    expect(isEnded).toBe(true);
  });
});
