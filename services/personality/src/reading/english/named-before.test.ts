import { describe, expect, it } from '@jest/globals';
import { emotionsOf } from '../../affect/emotions-of.js';
import { appraiseByRules } from './appraise-by-rules.js';
import { namedBefore } from './named-before.js';

const names = (...texts: string[]) =>
  appraiseByRules(texts, 'Mira')
    .flatMap(emotionsOf)
    .map(({ name }) => name);

describe('what "it" means in praise', () => {
  it.each([
    ['my hamster was sick', 'belonging'],
    ['my friend has a hamster', 'thing'],
    ['i loved the poem', 'performance'],
    ['my hamster was sick and i loved your poem', 'performance'],
    ['my boss was there', null],
    ['oh my god', null],
    ['that took a lot of time', null],
    ['what a crowd', null],
    ['you sang', null],
  ])('is found in %j: %s', (earlier, named) => expect(namedBefore(earlier.split(' '))).toBe(named));

  it.each([
    ['You killed it'],
    ['You absolutely killed it!'],
    ['Oh my god, you killed it!'],
    ['The crowd went wild. You killed it!'],
    ['I was so nervous but you killed it'],
    ['Your poem was short and you killed it'],
    ['I read them your poem', 'You killed it'],
    ['My boss was there. You crushed it'],
    ['The song is hard. You’re killing it'],
  ])('is a performance, or nothing that is named: %j', (...texts) =>
    expect(names(...texts)).toContain('gratitude'),
  );

  it.each([
    ['My hamster was sick. You killed it'],
    ['My hamster was sick', 'You killed it'],
    ['My cat is in pain. You’re killing it'],
    ['Our dog trusted you. You killed it!'],
    ['my app was running and you killed it'],
    ['I loved my old plant, and you killed it'],
  ])('is something of the speaker’s, and killed: %j', (...texts) => {
    expect(names(...texts)).toContain('remorse');
    expect(names(...texts)).not.toContain('gratitude');
  });

  it.each([
    ['I had a vase and you smashed it'],
    ['There was a spider. You killed it'],
    ['I had a vase. You smashed it'],
  ])('is another thing, of which nothing is said for good or ill: %j', (...texts) =>
    expect(names(...texts)).toEqual([]),
  );
});
