import { describe, expect, it } from '@jest/globals';
import type { Episode } from './group-same.js';
import { planConsolidation } from './plan-consolidation.js';
import { planTopics } from './plan-topics.js';
import { writeSummary } from './write-summary.js';

const at = (day: number) => new Date(Date.UTC(2026, 0, day, 9));
const episode = (day: number, text: string, audience = 'direct'): Episode => ({
  id: `${day}-${audience}`,
  text,
  audience,
  importance: 4,
  saidAt: at(day),
  sources: [`m${day}-${audience}`],
});
const greenhouse = [
  'I bought wood for the greenhouse.',
  'The greenhouse has a floor now.',
  'Rain came into the greenhouse last night.',
  'I sealed the roof of the greenhouse with tape.',
  'First tomatoes from the greenhouse!',
].map((text, n) => episode(1 + 20 * n, text));
const rest = Array.from({ length: 15 }, (_, n) => episode(2 + n, `Small talk about nothing, number w${n}q.`));

describe('topics', () => {
  it('are what comes up on several days, told along time, each line with its sources', async () => {
    const [topic, ...others] = await planTopics([...rest, ...greenhouse]);
    expect(others.filter(({ name }) => name.includes('greenhouse'))).toEqual([]);
    expect(topic).toMatchObject({ name: 'greenhouse', lines: 5, from: at(1), to: at(81) });
    const sentences = await writeSummary(topic!, null);
    expect(sentences[0]).toEqual({
      text: '1 January 2026: “I bought wood for the greenhouse.”',
      sources: ['m1-direct'],
    });
    expect(sentences).toHaveLength(5);
  });

  it.each([
    [
      'gewachshaus',
      'Heute war es gut, ich habe Holz für das Gewächshaus gekauft.',
      'Heute hat das Gewächshaus einen Boden bekommen, das ist gut.',
      'Gestern kam Regen in das Gewächshaus, heute ist es gut.',
      'Heute mache ich das Dach vom Gewächshaus gut dicht.',
      'Die ersten Tomaten aus dem Gewächshaus sind heute gut geworden!',
    ],
    [
      'invernadero',
      'Hoy fue bien, compré madera para el invernadero.',
      'Hoy el invernadero tiene suelo y está bien.',
      'Anoche entró lluvia en el invernadero, pero hoy está bien.',
      'Hoy hago bien el techo del invernadero.',
      'Los primeros tomates del invernadero salieron bien hoy.',
    ],
  ])(
    'are named by what is told, and not by words of every day, in other languages: %s',
    async (name, ...said) => {
      const told = said.map((text, n) => episode(1 + 20 * n, text));
      const topics = await planTopics([...rest, ...told]);
      expect(topics.map((topic) => topic.name).filter((each) => each !== 'nothing number')).toEqual([name]);
    },
  );

  it('of one audience hold nothing of another’s', async () => {
    const heard = greenhouse.map((each, n) => (n < 2 ? { ...each, audience: 'channel:discord:1' } : each));
    const topics = await planTopics([...rest, ...heard]);
    expect(topics.filter(({ name }) => name === 'greenhouse')).toEqual([]);
  });

  it('are summed up by a model as far as each sentence names lines that it is of', async () => {
    const [topic] = await planTopics([...rest, ...greenhouse]);
    const written = [
      { text: 'They built a greenhouse.', from: [1, 2] },
      { text: 'They won the lottery.', from: [3] },
      { text: 'The greenhouse leaked, and they sealed its roof.', from: [3, 4] },
      { text: 'Greenhouses are nice.', from: [] },
    ];
    expect(await writeSummary(topic!, () => Promise.resolve(written))).toEqual([
      { text: 'They built a greenhouse.', sources: ['m1-direct', 'm21-direct'] },
      { text: 'The greenhouse leaked, and they sealed its roof.', sources: ['m41-direct', 'm61-direct'] },
    ]);
    const byQuotes = await writeSummary(topic!, () => Promise.reject(new Error('no model')));
    expect(byQuotes).toHaveLength(5);
  });

  it('are found in a year of few words said over and over, or of very long lines, while others have their turns', async () => {
    const year = (count: number, text: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => ({ ...episode(n % 300, text(n)), id: String(n) }));
    const word = (n: number) => `thing${String.fromCharCode(97 + (n % 26), 97 + ((n * 7) % 26))}`;
    const few = year(5_000, (n) =>
      Array.from({ length: 12 }, (_, m) => word((n * (m + 3) + m) % 40)).join(' '),
    );
    const long = year(2_000, (n) => Array.from({ length: 400 }, (_, m) => word(n * m + m)).join(' '));
    // Most words in common, but never enough of them.
    const shuffled = year(2_000, (n) =>
      Array.from({ length: 160 }, (_, m) => {
        const at = (m * 7 + ((n * (m + 11)) % 5) * 41 + n) % 200;
        return String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26));
      }).join(' '),
    );
    for (const lines of [few, long, shuffled]) {
      for (const plan of [planTopics, planConsolidation]) {
        // By turns of the loop: how many milliseconds each takes says something of the machine.
        let turnsOfOthers = 0;
        let next: NodeJS.Immediate;
        const others = () => {
          turnsOfOthers += 1;
          next = setImmediate(others);
        };
        others();
        const before = process.threadCpuUsage();
        await plan(lines);
        const { user, system } = process.threadCpuUsage(before);
        clearImmediate(next!);
        expect((user + system) / 1_000).toBeLessThan(3_000);
        expect(turnsOfOthers).toBeGreaterThan(10);
      }
    }
  });
});
