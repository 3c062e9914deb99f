import type { Fact } from './reconcile-fact.js';

/** Tells what a fact says, without its times: `Ann lives in Tokyo`. */
export function sentenceOf({ attribute, value }: Pick<Fact, 'attribute' | 'value'>, name: string): string {
  const [topic = '', thing = ''] = attribute.split(':');
  const word = (thing !== '' && SENTENCES.get(`${topic}:`)) || SENTENCES.get(topic);
  return word ? word(name, value, thing) : `${name}: ${attribute} is ${value}`;
}

/** Sentences by topic. A key with a colon is for attributes that name a thing, such as `likes:jazz`. */
const SENTENCES = new Map<string, (name: string, value: string, thing: string) => string>([
  [
    'name',
    (name, value) => (value === name ? `This person is called ${value}` : `${name} is called ${value}`),
  ],
  ['home', (name, value) => `${name} lives in ${value}`],
  ['origin', (name, value) => `${name} is from ${value}`],
  ['job', (name, value) => (value === 'retired' ? `${name} is retired` : `${name} works as ${value}`)],
  ['employer', (name, value) => `${name} works at ${value}`],
  ['studies', (name, value) => `${name} studies ${value}`],
  ['diet', (name, value) => (value === 'eats meat' ? `${name} eats meat` : `${name} is ${value}`)],
  ['relationship', (name, value) => `${name} is ${value}`],
  ['partner', (name, value) => `${name}’s partner is called ${value}`],
  ['age', (name, value) => `${name} is ${value} years old`],
  ['birthday', (name, value) => `${name}’s birthday is on ${value}`],
  ['pet:', (name, value, thing) => `${name}’s ${thing} is called ${value}`],
  ['favourite:', (name, value, thing) => `${name}’s favourite ${thing} is ${value}`],
  ['allergy:', (name, _, thing) => `${name} is allergic to ${thing}`],
  ['likes:', (name, value, thing) => `${name} ${value} ${thing}`],
  ['prefers', (name, value) => `${name} prefers ${value}`],
  ['wish', (name, value) => `${name} asked: “${value}”`],
  ['habit:', (name, _, thing) => `${name} goes in for ${thing}`],
]);
