import { describe, expect, it } from '@jest/globals';
import { analyseText } from '../words/analyse-text.js';
import { chooseWishes, type WishRow } from './choose-wishes.js';

const row = (n: number, attribute: string, value: string): WishRow => ({
  id: `${n}`,
  attribute,
  value,
  text: `Ann: ${value}`,
  sources: [`m${n}`],
  saidAt: new Date(Date.UTC(2026, 0, n)),
});
const asked = (question: string, asksAdvice = false) => ({ terms: analyseText(question), asksAdvice });

describe('wishes for a prompt', () => {
  const always = row(1, 'wish:length', 'Keep your answers short');
  const tools = row(2, 'wish:tool', 'Always include versions when I ask about tools');
  const dates = row(3, 'wish:date', 'Always give the day when I ask about deadlines');
  const tea = row(4, 'prefers:tea', 'tea over coffee');

  it('are what always holds, then what is asked about, then the newest', () => {
    const ids = chooseWishes([dates, tools, always], asked('which tools are there?')).map(({ id }) => id);
    expect(ids).toEqual(['1', '2', '3']);
  });

  it('keep to their budget', () => {
    const chosen = chooseWishes([dates, tools, always], asked('which tools are there?'), 40);
    expect(chosen.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('hold preferences where they are asked about or advice is wanted', () => {
    expect(chooseWishes([tea], asked('how was your day?'))).toEqual([]);
    expect(chooseWishes([tea], asked('coffee?'))).toMatchObject([{ kind: 'preference' }]);
    expect(chooseWishes([tea], asked('what should I drink?', true))).toHaveLength(1);
  });
});
