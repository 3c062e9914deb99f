import { describe, expect, it } from '@jest/globals';
import { readWishes } from './read-wishes.js';

const keysOf = (text: string) =>
  readWishes(text).map(({ attribute, value }) => (value === null ? null : attribute));

describe('a wish', () => {
  it.each([
    [
      'Always include tool names when I ask about writing aids.',
      'Always include tool names when I ask about writing aids',
    ],
    ['Hey, could you please always give me code in Rust?', 'Always give me code in Rust'],
    ['From now on, don’t use emojis!', 'From now on, don’t use emojis'],
    [
      'When I ask about deadlines, give dates as YYYY-MM-DD.',
      'When I ask about deadlines, give dates as YYYY-MM-DD',
    ],
    ['Never mention my brother Tom again.', 'Never mention my brother Tom again'],
    ['Don’t mention Tom', 'Don’t mention Tom'],
    ["Please don't bring up my mom's death", "Don't bring up my mom's death"],
    ['Don’t send me pictures of spiders!', 'Don’t send me pictures of spiders'],
    ['You should not mention my ex.', 'Not mention my ex'],
    ['Stop asking me about work', 'Stop asking me about work'],
    ['From now on stop asking me about work', 'From now on stop asking me about work'],
    ['Please stop reminding me about my mother.', 'Stop reminding me about my mother'],
    ['I prefer short answers.', 'I prefer short answers'],
    ['Ab jetzt antworte mir bitte auf Deutsch.', 'Ab jetzt antworte mir bitte auf Deutsch'],
    ['Por favor, nunca menciones a mi ex.', 'Nunca menciones a mi ex'],
    ['Désormais, réponds en français', 'Désormais, réponds en français'],
    ['A partir de agora, responda em português', 'A partir de agora, responda em português'],
  ])('is read from %s', (text, value) => {
    expect(readWishes(text)).toMatchObject([{ value, isSure: true }]);
  });

  it.each([
    'I always forget the rules of chess',
    'Never say never',
    'She told me: always answer in German',
    '“Always be kind”, my grandmother said',
    'Don’t mention it!',
    'Don’t ask me why I like it',
    'Stop talking',
    'From now on I drink my coffee black',
    'I prefer e-books over print',
    'Always happy to help',
    'Can you give me code in Rust?',
    `Always answer briefly. ${'And so on and on. '.repeat(40)}`,
  ])('is not read from %s', (text) => {
    expect(readWishes(text)).toEqual([]);
  });

  it('is about the same thing whichever way it goes', () => {
    expect(keysOf('Always mention my brother Tom')).toEqual(keysOf('Never mention my brother Tom.'));
    expect(keysOf('I like long answers')).toEqual(keysOf('Keep your answers short please'));
    expect(keysOf('Always write code in Go')).toEqual(keysOf('From now on, give me code in Rust'));
    expect(keysOf('Always mention Will')).toEqual(keysOf('Never mention Will'));
    expect(keysOf('Always answer briefly when I ask about work')).not.toEqual(
      keysOf('I prefer short answers'),
    );
  });

  it.each([
    ['Never mention my English exam', 'wish:mention english exam'],
    ['Don’t talk to me about my French ex', 'wish:talk french ex'],
    ['Never mention the imperial march', 'wish:mention imperi march'],
    ['Never mention my formal dinner', 'wish:mention formal dinner'],
    ['Never joke about my short answers', 'wish:joke short answer'],
    ['Always ask me how it went if I mention my English exam', 'wish:ask go mention english exam'],
    ['Nunca hables de mi examen de inglés', 'wish:habl exam ingles'],
    ['Never talk to me in French', 'wish:language'],
    ['From now on, use a lot of emojis', 'wish:emojis'],
  ])('is of a manner where it asks how to answer: %s', (text, key) => {
    expect(keysOf(text)).toEqual([key]);
  });

  it.each(['Tom', 'Mia', 'Will', 'Kim', 'Dan', 'Ella', 'Una', 'Per', 'tom', 'mia'])(
    'is about whom it names, in words that some language counts for nothing: %s',
    (name) => {
      expect(keysOf(`Never mention ${name}`)).toEqual([`wish:mention ${name.toLowerCase()}`]);
    },
  );
});
