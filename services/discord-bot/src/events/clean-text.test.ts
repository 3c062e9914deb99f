import { describe, expect, it } from '@jest/globals';
import { slowReadings } from '@kith/testing';
import { cleanText } from './clean-text.js';

const BOT = '123456789012345678';
const NAMES = { user: () => undefined, role: () => undefined, channel: () => undefined };

describe('cleanText', () => {
  it('takes the bot’s own mentions off both ends, however many there are', () => {
    expect(cleanText(` <@${BOT}>, <@!${BOT}>: hi <@${BOT}> there <@${BOT}> <@!${BOT}> `, BOT, NAMES)).toBe(
      'hi you there',
    );
    expect(cleanText(`<@${BOT}>`, BOT, NAMES)).toBe('');
  });

  it('keeps the bot busy for no longer than 50 ms, whatever it is sent', () => {
    expect(slowReadings((text) => cleanText(text, BOT, NAMES))).toEqual([]);
  }, 300_000);
});
