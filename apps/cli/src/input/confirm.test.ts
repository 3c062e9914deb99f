import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { endOf, KEY, runCli } from '../e2e/scripted-api.js';

async function clearAnswered(typed: string) {
  const typist = new PassThrough();
  typist.write(typed);
  const { code, notes } = await endOf(
    runCli(['memories', 'clear'], { url: 'http://127.0.0.1:9', key: KEY, typist }),
  );
  return { code, notes };
}

describe('a question that wants a typed yes', () => {
  it('ends the command without a word at Ctrl-C', async () => {
    expect(await clearAnswered('\u0003')).toEqual({ code: 130, notes: '' });
  });

  it.each(['\u0004', 'no\n', 'y\n', '\n'])('takes %j as a no', async (typed) => {
    expect(await clearAnswered(typed)).toEqual({
      code: 0,
      notes: expect.stringContaining('nothing was forgotten'),
    });
  });

  it('goes on at a yes', async () => {
    expect(await clearAnswered('yes\n')).toEqual({
      code: 1,
      notes: expect.stringContaining('nothing answers'),
    });
  });
});
