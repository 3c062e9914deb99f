import { describe, expect, it } from '@jest/globals';
import { fatalReason, refusedSettings, tellRefusals } from './fatal-reason.js';

describe('why a service ended', () => {
  it('is the error of its last fatal line, in one line', () => {
    const fatal = JSON.stringify({
      level: 'fatal',
      err: { message: 'settings:\n  CHAT_MODELS is wrong' },
      msg: 'could not start',
    });
    expect(fatalReason(`{"level":"info","msg":"x"}\n${fatal}\nplain words\n`)).toBe(
      'settings: CHAT_MODELS is wrong',
    );
    expect(fatalReason('{"level":"fatal","msg":"could not start"}')).toBe('could not start');
  });

  it('is the list of the wrong settings, each with the services that refused it', () => {
    const cards = 'MODEL_CARDS: is no JSON\n';
    const tail =
      `gateway can't start, its settings are wrong:\n  GATEWAY_PORT: not a number\n${cards}${cards}` +
      `memory can't start, its settings are wrong:\n${cards}`;
    const refusals = [
      { service: 'gateway', problems: ['GATEWAY_PORT: not a number', cards.trim(), cards.trim()] },
      { service: 'memory', problems: [cards.trim()] },
    ];
    const lines = [
      'settings are wrong, mend them in .env:',
      '  GATEWAY_PORT: not a number [gateway]',
      '  MODEL_CARDS: is no JSON [gateway, memory]',
    ];
    const others = '{"level":"info","service":"memory","msg":"listening"}\n';
    for (const output of [tail, others + tail + others]) {
      expect(refusedSettings(output)).toEqual(refusals);
      expect(fatalReason(output)).toBe(lines.map((line) => line.trim()).join(' '));
    }
    expect(tellRefusals(refusals)).toBe(lines.join('\n'));
  });

  it.each(['', 'plain words', '{"level":"fatal","err":{"mess', '{"level":"info","msg":"stopped"}'])(
    'is not known by %j',
    (tail) => {
      expect(fatalReason(tail)).toBeNull();
    },
  );
});
