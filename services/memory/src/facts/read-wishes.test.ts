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
    ['From now on you must call me Captain', 'From now on you must call me Captain'],
    ['From now on I want you to answer in English', 'From now on I want you to answer in English'],
    ['Please stop reminding me about my mother.', 'Stop reminding me about my mother'],
    ['Stop reminding me of my ex', 'Stop reminding me of my ex'],
    ['Stop giving me so much advice', 'Stop giving me so much advice'],
    ['Stop adding long disclaimers', 'Stop adding long disclaimers'],
    ['Don’t use my full name', 'Don’t use my full name'],
    ['Don’t say the word moist', 'Don’t say the word moist'],
    ['I prefer short answers.', 'I prefer short answers'],
    ['Always be brief', 'Always be brief'],
    ['Be informal from now on', 'Be informal from now on'],
    ['Never use exclamation marks', 'Never use exclamation marks'],
    ['Always describe pictures in detail', 'Always describe pictures in detail'],
    ['Never say “as an AI”', 'Never say “as an AI”'],
    ['Never use acronyms', 'Never use acronyms'],
    ['You should always use my first name', 'Always use my first name'],
    ['Could you always write numbers as words?', 'Always write numbers as words'],
    ['Stop speaking French to me', 'Stop speaking French to me'],
    ['Stop writing such long answers', 'Stop writing such long answers'],
    ['Sag mir immer die Wahrheit', 'Sag mir immer die Wahrheit'],
    ['Siempre responde con humor', 'Siempre responde con humor'],
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
    'Stop giving up',
    'Stop giving a damn',
    'Stop adding salt',
    'Stop adding people to the group',
    'Stop sending him money',
    'From now on stop adding salt',
    'Don’t use the stairs',
    'Stop using drugs',
    'Don’t say goodbye',
    'Don’t call me please',
    'Don’t ask me about it',
    'Stop reminding me of that',
    'Don’t talk about work today',
    'Stop teasing Tom like that!',
    'Always be yourself',
    'From now on I drink my coffee black',
    'I prefer e-books over print',
    'Always happy to help',
    'Can you give me code in Rust?',
    `Always answer briefly. ${'And so on and on. '.repeat(40)}`,
  ])('is not read from %s', (text) => {
    expect(readWishes(text)).toEqual([]);
  });

  it.each([
    'Always look on the bright side of life',
    'Never give up',
    'Please never give up',
    'You should never give up on your dreams',
    'Always keep your promises',
    'Always say thank you',
    'Never use your phone at dinner',
    'Never talk to strangers',
    'Never speak ill of the dead',
    'Always call before you visit',
    'Never list your phone number online',
    'Never answer the door at night',
    'Never explain, never complain',
    'Always translate contracts before you sign',
    'Never say "sorry" to your boss',
    'Always be honest, my dad used to say',
    'Gib niemals auf',
    'Sag niemals nie',
    'Halt immer die Augen offen',
    'Sprich nie schlecht über andere',
    'Nunca digas nunca',
    'Ne dis jamais jamais',
    'Nunca diga nunca',
  ])('is not read from a saying: %s', (text) => {
    expect(readWishes(text)).toEqual([]);
  });

  it.each([
    'Never use dashes',
    'Never use em dashes',
    'Never use semicolons',
    'Never use contractions',
    'Never use capital letters',
    'Never use filler',
    'Never use adverbs',
    'Always use code blocks',
    'Always use bold',
    'Always use analogies',
    'Always use humour',
    'Always use Python',
    'Always use kilometers',
    'Always use the 24-hour clock',
    'Always use they/them',
    'Always show your work',
    'Always show your reasoning',
    'Always show the math',
    'Always show steps',
    'Always show code first',
    'Always explain your reasoning',
    'Always answer the question first',
    'Always start with the conclusion',
    'Always give prices in euros',
    'Always verify facts',
    'Always add units',
    'Never offer solutions',
    'Always be polite',
    'Always be supportive',
    'Always be gentle',
    'Always be honest',
    'Always be funny',
    'Never be condescending',
    'Never be judgmental',
    'Never be mean',
    'Always talk like a pirate',
    'Always speak plainly',
    'Never speak in third person',
    'Never talk like a robot',
    'Always tell the truth',
    'Always keep it simple',
    'Never say you’re an AI',
    'Never say as an AI',
    'Never mention your training',
    'Never mention your creators',
    'Never say sorry',
    'Always say when you are unsure',
    'Always say when you don’t know',
    'Never use dashes, please',
    'Always show your work please',
    'Always show your work, thanks',
    'Gib niemals Ratschläge',
    'Benutze niemals Abkürzungen',
    'Verwende immer einfache Sprache',
    'Schreib nie lange Texte',
    'Halt dich immer kurz',
    'Nunca uses groserías',
    'Siempre di la verdad',
    'Utilise toujours le tutoiement',
    'N’utilise jamais d’abréviations',
    'Nunca use gírias',
    'Always answer in rhymes, as my teacher says',
    'Always be kind, as I used to say',
    'Never send my photos to strangers',
    'Always summarize before you sign off',
    'Never use my full name, as I said',
    'Don’t mention Tom, as I always say',
    'Always answer in French, as you said',
    'Never mention Tom, no matter what he says',
    'Always tell me the truth, no matter what anyone says',
    'Always call me Max, not what my passport says',
    'Always remind me to drink, like my doctor told me',
    'Never mention my ex, my therapist says',
    'Always warn before you change the subject',
  ])('is whatever is no saying that is known: %s', (text) => {
    expect(readWishes(text)).toMatchObject([{ value: text }]);
  });

  it.each([
    ['Please answer in English - as the rules say', 'Answer in English - as the rules say'],
    ['You should always be honest', 'Always be honest'],
    ['Please always keep your promises', 'Always keep your promises'],
  ])('is so behind a courtesy: %s', (text, value) => {
    expect(readWishes(text)).toMatchObject([{ value }]);
  });

  it('is about the same thing whichever way it goes', () => {
    expect(keysOf('From now on you must call me Captain')).toEqual(keysOf('Always call me Captain'));
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
    ['Never talk about my French ex', 'wish:talk french ex'],
    ['Never bring up my Spanish class', 'wish:bring spanish class'],
    ['Stop reminding me of my French ex', 'wish:remind french ex'],
    ['Never joke about my short answers', 'wish:joke short answer'],
    ['Always ask me how it went if I mention my English exam', 'wish:ask go mention english exam'],
    ['Nunca hables de mi examen de inglés', 'wish:habl exam ingles'],
    ['Erwähne nie wieder Deutsch', 'wish:erwahn deutsch'],
    ['Sprich nie wieder über Deutsch', 'wish:sprich deutsch'],
    ['Ne parle plus jamais de mon prof de français', 'wish:parl prof franc'],
    ['Stop answering in German', 'wish:answer german'],
    ['Never talk to me in French', 'wish:language'],
    ['Always answer in German', 'wish:language'],
    ['Always ask me in German', 'wish:language'],
    ['Always tell me jokes in Spanish', 'wish:language'],
    ['Ab jetzt duze mich', 'wish:formality'],
    ['Ab jetzt sieze mich', 'wish:formality'],
    ['Always address me formally', 'wish:formality'],
    ['From now on be informal', 'wish:formality'],
    ['Always give me metric units', 'wish:units'],
    ['Always give me imperial units', 'wish:units'],
    ['I prefer code in Rust when I ask about programming', 'wish:code in ask program'],
    ['Never joke with emojis', 'wish:emojis'],
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
