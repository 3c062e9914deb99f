import { describe, expect, it } from '@jest/globals';
import { findTimeZone, TimeZone } from './time-zone.js';

describe('a time zone, as people name it', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['Berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['São Paulo', 'America/Sao_Paulo'],
    ['Port-au-Prince', 'America/Port-au-Prince'],
    ['Kolkata', 'Asia/Kolkata'],
    ['asia/KOLKATA', 'Asia/Kolkata'],
    ['europe/kyiv', 'Europe/Kyiv'],
    ['america/argentina/buenos_aires', 'America/Argentina/Buenos_Aires'],
    ['US/Pacific', 'America/Los_Angeles'],
    ['uS/pAcIfIc', 'America/Los_Angeles'],
    ['utc', 'UTC'],
    ['BST', 'Europe/London'],
    ['est', 'America/New_York'],
    ['EDT', 'America/New_York'],
    ['PT', 'America/Los_Angeles'],
    ['MST', 'America/Denver'],
    ['CEST', 'CET'],
    ['AEST', 'Australia/Sydney'],
    ['NST', 'America/St_Johns'],
    ['UTC+2', 'Etc/GMT-2'],
    ['GMT -5', 'Etc/GMT+5'],
    ['+0', 'UTC'],
    ['UTC−3', 'Etc/GMT+3'],
    ['+14', 'Etc/GMT-14'],
    ['+5:30', '+05:30'],
  ])('"%s" is %s', (text, zone) => {
    expect(findTimeZone(text)).toEqual({ zone });
    // What was found once is found again: settings are read as they are written.
    expect(findTimeZone(zone)).toEqual({ zone });
  });

  it('is one zone in whatever capitals', () => {
    const name = 'america/argentina/comodrivadavia';
    const spelled = Array.from({ length: 200 }, (_, n) =>
      Array.from(name, (letter, at) => ((n * (at + 7)) % 3 === 0 ? letter.toUpperCase() : letter)).join(''),
    );
    const found = [...spelled, 'America/Argentina/ComodRivadavia'].map((text) =>
      JSON.stringify(findTimeZone(text)),
    );
    expect(new Set(found).size).toBe(1);
  });

  it.each([
    ['Berln', 'Europe/Berlin'],
    ['Amsterdm', 'Europe/Amsterdam'],
    ['Vienn', 'Europe/Vienna'],
  ])('"%s" may mean %s', (text, zone) => {
    const found = findTimeZone(text);
    expect('suggestions' in found && found.suggestions).toContain(zone);
  });

  it('compares no endless text with the cities there are', () => {
    const began = process.threadCpuUsage();
    expect(findTimeZone('a'.repeat(200_000))).toEqual({ suggestions: [] });
    const { user, system } = process.threadCpuUsage(began);
    // It is too long to be compared.
    expect((user + system) / 1_000).toBeLessThan(500);
  });

  it.each(['Middle/Earth', '', 'UTC+15', 'UTC+14:45', '22', 'x'])(
    '"%s" is none, and the error says what is',
    (text) => {
      expect(TimeZone.safeParse(text).error?.issues[0]?.message).toMatch(/^not a time zone: /);
    },
  );
});
