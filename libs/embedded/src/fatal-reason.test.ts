import { describe, expect, it } from '@jest/globals';
import { fatalReason } from './fatal-reason.js';

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

  it('is the list of its wrong settings', () => {
    const tail =
      "gateway can't start, its settings are wrong:\n  GATEWAY_PORT: not a number\n  NIGHT_AT: an hour\n";
    expect(fatalReason(tail)).toBe('GATEWAY_PORT: not a number NIGHT_AT: an hour');
    const others = '{"level":"info","service":"memory","msg":"listening"}\n';
    expect(fatalReason(others + tail + others)).toBe('GATEWAY_PORT: not a number NIGHT_AT: an hour');
  });

  it.each(['', 'plain words', '{"level":"fatal","err":{"mess', '{"level":"info","msg":"stopped"}'])(
    'is not known by %j',
    (tail) => {
      expect(fatalReason(tail)).toBeNull();
    },
  );
});
