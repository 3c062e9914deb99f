import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const CHECK = new URL('../../tools/check-expressions.mjs', import.meta.url).pathname;

/** Expressions that once stopped a service for good, or for minutes, and what else the check is to refuse. */
const BAD = String.raw`
const PLACE = '(\\p{Lu}[\\p{L}.-]*(?:[ -]\\p{Lu}[\\p{L}.-]*)*)';
export const FACT = new RegExp('\\bI left ' + PLACE + ' for ' + PLACE, 'gu');
export const ANSWER = new RegExp('^(?:yes|sure)(?:[, ]+(?:yes|really|(?:really )?love it|love it really))*$', 'iu');
export const JOINERS = /[\s,;]*(?:\b(?:and|then)\b[\s,;]*)*[.!?\s]*$/i;
export const HEADING = /^(#{1,6})\s+(.+?)\s*#*\s*$/;
export const ESCAPED = /<(?=\s*\/?\s*(?:memories|core)\b)/gi;
export const trim = (text) => text.replace(/[.!\s]+$/, '');
export const mentions = (id) => new RegExp('^(\\s*<@' + id + '>[\\s,:]*)+');
export const words = (text) => text.match('(a+)+b');
`;
const GOOD = String.raw`
const WORDS = ['one', 'two'];
export const ANY = new RegExp(WORDS.join('|'), 'i');
export const SPACES = /\s+/g;
export const NAME = /^\p{L}{1,30}$/u;
`;

describe('the check of expressions', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kith-expressions-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  async function check(source: string) {
    await writeFile(join(directory, 'sample.mjs'), source);
    return spawnSync(process.execPath, [CHECK, directory], { encoding: 'utf8' });
  }

  it('finds each of those that stopped a service', async () => {
    const { status, stderr } = await check(BAD);
    expect(status).toBe(1);
    const lines = [...stderr.matchAll(/sample\.mjs:(\d+) (\w+)/g)].map(([, line, what]) => `${line} ${what}`);
    expect(new Set(lines)).toEqual(
      new Set([
        '3 vulnerable',
        '4 vulnerable',
        '5 vulnerable',
        '6 vulnerable',
        '7 vulnerable',
        '8 vulnerable',
        '9 builds',
        '10 makes',
      ]),
    );
  }, 120_000);

  it('lets linear ones pass, those built when a module loads as well', async () => {
    const { status, stderr } = await check(GOOD);
    expect(stderr).toBe('');
    expect(status).toBe(0);
  }, 120_000);
});
