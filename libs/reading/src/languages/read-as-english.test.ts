import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readAsEnglish } from './read-as-english.js';

const FOLDER = new URL('../../data/glossaries/', import.meta.url);
/** As for all readers: nobody notices a process that is busy for so long. */
const MAX_MS = 50;

describe('reading as English', () => {
  it.each([
    ['Ich wohne in Graz', 'I live in Graz'],
    ['Ich heiße Anna und wohne in Graz', 'my name is Anna and I live in Graz'],
    ['Morgen um 17 Uhr', 'tomorrow at 17:00'],
    ['Moritz ist am Montag gestorben', 'Moritz died'],
    ['Moritz ist fast gestorben', 'Moritz is almost died'],
    ['vivo en La Paz desde mayo', 'I live in La Paz since May'],
    ['J’ai un examen vendredi', 'I have a exam on Friday'],
    ['Me lembre amanhã', 'remind me tomorrow'],
    ['Tengo la boda el mes que viene', 'I have the wedding next month'],
    ['La boda es el año que viene', 'the wedding is next year'],
    ['La boda es la semana que viene', 'the wedding is next week'],
    ['Mi boda es el próximo mes y estoy feliz', 'my wedding is next month and I am happy'],
    ['O casamento é no mês que vem', 'O wedding is next month'],
    ['O casamento é no próximo ano', 'O wedding is next year'],
    ['Tengo un examen el lunes por la mañana', 'I have a exam on Monday in the morning'],
    ['Tengo un examen mañana por la mañana', 'I have a exam tomorrow morning'],
    ['guten morgen, ich bin müde', 'good morning, I am müde'],
    ['Ich laufe am morgen', 'I laufe in the morning'],
    ['ich habe am montag morgen eine Prüfung', 'I have on Monday morning a exam'],
    ['Heute ist Montag, morgen ist die Prüfung', 'today is Monday, tomorrow is the exam'],
    ['J’ai été malade cet été', 'I have été malade this summer'],
    ['Tenho uma prova na segunda', 'I have a exam on Monday'],
    ['Tenho a segunda prova', 'I have a segunda exam'],
    ['Tenho uma prova segunda', 'I have a exam on Monday'],
  ])('puts what rules know into English: %s', (own, english) => {
    expect(readAsEnglish(own).text).toBe(english);
  });

  it.each(['I live in Graz, die Stadt', 'Asun Turussa', '私は東京に住んでいます', ''])(
    'leaves English as it is, and what has no glossary: %s',
    (text) => {
      expect(readAsEnglish(text).text).toBe(text);
    },
  );

  it.each(readdirSync(FOLDER))('is done at once with 100,000 characters of any form: %s', (file) => {
    const { spellings, patterns } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Record<
      'spellings' | 'patterns',
      string[][]
    >;
    const openers = [...spellings, ...patterns].map(([source]) =>
      source!.replaceAll(/\(\?:|[()|?[\]\\]|\{.*?\}|<\w+>/g, ' '),
    );
    const busy = [...openers, 'a ', "j' ", '1 ', ' '].map((opener) => {
      const text = opener.repeat(Math.ceil(100_000 / opener.length));
      return Math.min(cpuMs(text, file), cpuMs(text, file));
    });
    expect(Math.max(...busy)).toBeLessThan(MAX_MS);
  });
});

function cpuMs(text: string, file: string): number {
  const began = process.threadCpuUsage();
  readAsEnglish(text, file.replace('.json', ''));
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1_000;
}
