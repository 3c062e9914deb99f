import { describe, expect, it } from '@jest/globals';
import { KeptAnswers } from './kept-answers.js';
import { eventually } from '../testing-redis.js';
import { Bench } from '../testing-service.js';

const bench = Bench.forThisFile();

/** A value that changes, and its version. */
class Source {
  value = 'first';
  looks = 0;
  find = async () => {
    this.looks += 1;
    return this.value;
  };
}

function open(channel: string) {
  const broadcasts = bench.openBroadcasts();
  const kept = new KeptAnswers<string>(broadcasts, channel, (value, key) => [key, value]);
  kept.listen();
  return { broadcasts, kept };
}

/** Until it hears, an answer is kept for a few seconds alone, and looked for again once it does. */
async function hearing(...all: ReturnType<typeof open>[]): Promise<void> {
  await eventually(
    () => all.every(({ broadcasts }) => broadcasts.isHearing && broadcasts.gap > 0),
    'all hear',
  );
}

describe('answers that are kept', () => {
  it('are looked for once, and again after whoever changed one ended it, in every process', async () => {
    const [here, there] = [open('one'), open('one')];
    await hearing(here, there);
    const source = new Source();
    for (let n = 0; n < 3; n += 1) expect(await here.kept.of('key', source.find)).toBe('first');
    expect(source.looks).toBe(1);
    source.value = 'second';
    await there.kept.end(['key']);
    await eventually(
      async () => (await here.kept.of('key', source.find)) === 'second',
      'it was looked for again',
    );
    expect(source.looks).toBe(2);
  });

  it('end by any of their tags, and tell those who watch', async () => {
    const { kept } = open('tags');
    const source = new Source();
    const ended: (readonly string[])[] = [];
    const stop = kept.watch((tags) => ended.push(tags));
    await kept.of('key', source.find);
    kept.drop(['first']);
    stop();
    kept.drop(['other']);
    await kept.of('key', source.find);
    expect([source.looks, ended]).toEqual([2, [['first']]]);
  });

  it('are looked for again in the end, whatever was told or not', async () => {
    const broadcasts = bench.openBroadcasts();
    const kept = new KeptAnswers<string>(broadcasts, 'long', undefined, 50);
    kept.listen();
    await hearing({ broadcasts, kept });
    const source = new Source();
    await kept.of('key', source.find);
    await eventually(async () => {
      await kept.of('key', source.find);
      return source.looks === 2;
    }, 'it was looked for again');
  });

  it('are not kept where they ended while they were being looked for', async () => {
    const { kept } = open('late');
    const source = new Source();
    const stale = kept.of('key', async () => {
      const found = await source.find();
      source.value = 'second';
      kept.drop(['key']);
      return found;
    });
    expect([await stale, await kept.of('key', source.find)]).toEqual(['first', 'second']);
  });

  it('are not kept over a gap in which an end may have been told', async () => {
    const here = open('gap');
    await hearing(here);
    const source = new Source();
    await here.kept.of('key', source.find);
    await bench.redis.kill();
    await eventually(() => !here.broadcasts.isHearing, 'the connection is known to be gone');
    // What is found now is kept for a little while, and what was found before is not.
    for (let n = 0; n < 3; n += 1) await here.kept.of('key', source.find);
    expect(source.looks).toBe(2);
    await bench.redis.start();
    await hearing(here);
    for (let n = 0; n < 3; n += 1) await here.kept.of('key', source.find);
    expect(source.looks).toBe(3);
  });

  it('are heard of also where Redis was away when the process began', async () => {
    await bench.redis.kill();
    const here = open('early');
    await bench.redis.start();
    await hearing(here);
    const source = new Source();
    await here.kept.of('key', source.find);
    const there = open('early');
    await hearing(there);
    source.value = 'second';
    await there.kept.end(['key']);
    await eventually(async () => (await here.kept.of('key', source.find)) === 'second', 'it has heard of it');
  });
});
