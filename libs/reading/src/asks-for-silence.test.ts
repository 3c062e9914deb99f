import { describe, expect, it } from '@jest/globals';
import { asksForSilence } from './asks-for-silence.js';

describe('a wish not to be written to', () => {
  it.each([
    'stop messaging me',
    'Please stop writing to me.',
    'Mira, stop texting me!',
    'Hey Mira, please stop texting me',
    'hey Mira stop messaging me',
    'Please Mira don’t text me',
    'can you stop dming me please?',
    'Hey, please don’t message me first any more',
    "I don't want you to text me first.",
    "I don't want any more messages from you",
    'never write to me again',
    'Stop sending me messages',
    'That was too much. Stop contacting me.',
    'stop pinging me out of the blue',
    'STOP MESSAGING ME',
    'please stop texting me, Mira',
    'stop messaging me now',
    'Will you please stop texting me?',
    "don't text me, then",
    'Hi:\nhow are you?\nStop messaging me',
    'I am 23. Stop messaging me.',
    'Then stop texting me.',
    'Schreib mir bitte nicht mehr.',
    'Hör bitte auf, mir zu schreiben!',
    'Bitte schreib mir nie wieder von dir aus',
    'Kannst du bitte aufhören, mir zu schreiben?',
    'Arrête de m’écrire',
    'Tu peux arrêter de m’écrire ?',
    "Ne m'écris plus stp",
    'Deja de escribirme, por favor',
    'No me escribas más',
    'Pare de me mandar mensagens',
    'Não me escreva mais, por favor',
  ])('is heard in "%s"', (text) => {
    expect(asksForSilence(text)).toBe(true);
  });

  it.each([
    // At a time, about a topic, in a way.
    "don't message me at night",
    "Don't text me before 9",
    "please don't write to me about my ex",
    'stop messaging me in the channel',
    'stop writing to me in French',
    "don't text me while I'm at work",
    'stop texting me so much',
    'Schreib mir nicht auf Englisch',
    'Am 3. schreib mir bitte nicht',
    'No me escribas tan tarde',
    // Somebody else.
    'my ex won’t stop messaging me',
    'I told him to stop texting me',
    'He keeps messaging me, how do I get him to stop texting me?',
    '"stop messaging me", she said',
    '> stop messaging me',
    '>>> hi\nstop messaging me',
    'Translate this:\nStop messaging me.',
    // For a while, a worry, a joke.
    "I'm at the dentist at 3. Don't text me then.",
    "don't message me just now",
    "I don't want any messages from you now",
    'Schreib mir bitte nicht jetzt',
    'will you stop messaging me then?',
    'stop texting me, lol',
    "Don't text me, call.",
    // The opposite, and other things.
    'please dont stop messaging me',
    'hey never stop messaging me',
    'PLEASE DONT STOP MESSAGING ME',
    'he said, stop messaging me',
    '@Bob stop messaging me',
    '```\nstop messaging me\n```',
    '`stop messaging me`',
    "don't stop messaging me",
    'never stop writing to me',
    'why did you stop messaging me?',
    'you can stop now',
    'stop it',
    'leave me alone for a minute',
    "you don't message me any more",
    'did you stop writing to me?',
    'message me first',
  ])('is not heard in "%s"', (text) => {
    expect(asksForSilence(text)).toBe(false);
  });
});
