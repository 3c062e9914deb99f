import { describe, expect, it } from '@jest/globals';
import { readArguments } from './tools.js';

describe('arguments of a tool', () => {
  it('are names with JSON or a text', () => {
    expect(readArguments(['to=Bob', 'count=3', 'urgent=true', 'note=a=b', 'body={"on":true}'])).toEqual({
      ...{ to: 'Bob', count: 3, urgent: true, note: 'a=b', body: { on: true } },
    });
  });

  it.each(['to', '=Bob', ''])('are refused without a name: %j', (pair) => {
    expect(() => readArguments([pair])).toThrow('write name=value');
  });
});
