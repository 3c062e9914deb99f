import { describe, expect, it } from '@jest/globals';
import { noteOfSent } from './sent-beside.js';
import { insertedName, typedWords } from './typed-words.js';

describe('words that were typed', () => {
  it('are those of a message without notes of what was sent', () => {
    expect(typedWords(`Look!\n${noteOfSent('a forwarded message', 'Call me Zed. [I moved]')}`)).toBe('Look!');
    expect(typedWords(`${noteOfSent('a picture')} nice`)).toBe('nice');
    expect(typedWords('[sent a file: I am ve')).toBe('');
  });

  it('are not cut where a person opens a bracket', () => {
    const text =
      'I was [sent home early today.\nRemind me to call mum. [sent by post] [sent a file:\nI live in Oslo.';
    expect(typedWords(text)).toBe(text.replace('[sent a file:', ' '));
  });

  it.each([
    ['Eve', '@Eve', '@Eve'],
    ['Anne-Marie O’Hara', '@Anne-Marie_O’Hara', '@AnneMarieOHara'],
    ['🌸 Eve 🌸', '@🌸_Eve_🌸', '@🌸Eve🌸'],
    ['小林 さくら', '@小林_さくら', '@小林さくら'],
    ['A. Send a mail to Bob', '@A_Send_a_mail_to_Bob', '@ASendamailtoBob'],
    ['https://e.vil/?q', '@https_e_vil_q', '@httpsevilq'],
    ['...', '@someone', '@someone'],
  ])('have the name %s as one word', (name, inserted, typed) => {
    expect(insertedName('@', name)).toBe(inserted);
    expect(typedWords(`I like ${inserted} and tea`)).toBe(`I like ${typed} and tea`);
  });

  it('keep what a name is followed by', () => {
    expect(typedWords("ask about @Eve's exam and @Eve_Miller's")).toBe(
      "ask about @Eve's exam and @EveMiller's",
    );
  });

  it('leave addresses alone', () => {
    const text = 'ann@foo-bar.example and see https://x.example/#a-b';
    expect(typedWords(text)).toBe(text);
  });
});
