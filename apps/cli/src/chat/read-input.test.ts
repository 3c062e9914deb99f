import { describe, expect, it } from '@jest/globals';
import { readInput } from './read-input.js';

const read = (line: string) => readInput(line, 100);

describe('a line of a chat', () => {
  it('is a message, trimmed', () => {
    expect(read('  hello there \r')).toEqual({ kind: 'message', text: 'hello there' });
    expect(read(' \t ')).toEqual({ kind: 'nothing' });
  });

  it('is a command by its whole name', () => {
    expect(read('/why')).toEqual({ kind: 'command', name: 'why' });
    expect(read(' /QUIT ')).toEqual({ kind: 'command', name: 'quit' });
    expect(read('/exit')).toEqual({ kind: 'command', name: 'quit' });
  });

  it.each(['/', '/wyh', '/usr/bin/env is missing', '/constructor', '/why not', `/${'x'.repeat(9_000)}`])(
    'is never sent when it begins with a slash and is none: %.20s',
    (line) => {
      const input = read(line) as { kind: string; problem: string };
      expect(input.kind).toBe('mistake');
      expect(input.problem).toContain('two slashes: //');
      expect(input.problem.length).toBeLessThan(200);
    },
  );

  it('says what begins with a slash after two', () => {
    expect(read('//why')).toEqual({ kind: 'message', text: '/why' });
    expect(read('///')).toEqual({ kind: 'message', text: '//' });
  });

  it('is refused when it is longer than a message may be', () => {
    expect(read('x'.repeat(100)).kind).toBe('message');
    expect(read('x'.repeat(101))).toEqual({
      kind: 'mistake',
      problem: 'this is longer than the 100 characters that a message may have: it was not sent',
    });
  });
});
