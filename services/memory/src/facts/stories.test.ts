import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { judgeStory, playStory, type Story } from './testing-story.js';

const STORIES = JSON.parse(readFileSync(join(import.meta.dirname, 'stories.json'), 'utf8')) as Story[];
const titled = (stories: Story[]) =>
  stories.map((story) => [story.lines.map(([, text]) => text).join(' → '), story] as const);

describe('what is true in the end', () => {
  it.each(titled(STORIES.filter(({ needs }) => !needs)))('%s', (_, story) => {
    expect(judgeStory(story, playStory(story))).toEqual([]);
  });
});

describe('what only a model can see', () => {
  it.each(titled(STORIES.filter(({ needs }) => needs === 'model')))(
    'makes the rules claim nothing new: %s',
    (_, story) => {
      const [first, last] = [story.lines[0]!, story.lines.at(-1)!];
      const before = playStory({ ...story, lines: [first] });
      const after = playStory({ ...story, lines: [first, last] });
      expect(after).toEqual(before);
    },
  );
});
