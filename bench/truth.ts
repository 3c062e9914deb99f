// What is true in the end: written stories of facts that change, told to the rules a line at a time.
//   npm run bench:truth
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judgeStory, playStory, type Story } from '../services/memory/dist/facts/testing-story.js';
import { writeResult } from './figures.ts';

const file = join(import.meta.dirname, '../services/memory/src/facts/stories.json');
const stories = JSON.parse(await readFile(file, 'utf8')) as Story[];

const table: Record<string, { stories: number; right: number; share: string }> = {};
for (const story of stories) {
  const problems = judgeStory(story, playStory(story));
  for (const kind of [story.needs === 'model' ? `${story.kind}, implied` : story.kind, 'all']) {
    const row = (table[kind] ??= { stories: 0, right: 0, share: '' });
    row.stories += 1;
    row.right += problems.length === 0 ? 1 : 0;
    row.share = `${((100 * row.right) / row.stories).toFixed(0)} %`;
  }
  if (problems.length > 0) {
    console.log(`${story.lines.map(told).join(' → ')}\n    ${problems.join('; ')}`);
  }
}
console.log('stories whose facts are right in the end, by rules alone');
console.table(table);
await writeResult('truth', table);

function told([day, text, before]: Story['lines'][number]): string {
  return `${day} ${before === undefined ? '' : `(${before}) `}${text}`;
}
