import { describe, expect, it } from '@jest/globals';
import { readArguments } from './read-arguments.js';

describe('arguments of a tool', () => {
  it('are names with JSON or a text', () => {
    expect(readArguments(['to=Bob', 'count=3', 'urgent=true', 'note=a=b', 'body={"on":true}'])).toEqual({
      to: 'Bob',
      count: 3,
      urgent: true,
      note: 'a=b',
      body: { on: true },
    });
  });

  it.each([
    ['string', '123456789012345678', '123456789012345678'],
    ['string', '2027', '2027'],
    ['string', 'null', 'null'],
    ['string | null', 'null', null],
    ['string | null', 'true', 'true'],
    ['"1" | "2"', '2', '2'],
    ['integer', '2027', 2027],
    ['any', '2027', 2027],
    ['any', '123456789012345678', '123456789012345678'],
    ['integer', '1e21', 1e21],
    ['integer | string', '123456789012345678', '123456789012345678'],
    ['integer | string', '7', 7],
    ['string | array', '["a"]', ['a']],
    ['string | array', '{"a":1}', '{"a":1}'],
    ['string | object', '{"a":1}', { a: 1 }],
    ['string | boolean', 'true', true],
    ['list of integer | string', '[1]', [1]],
    ['list of string | null', 'null', null],
    ['"a | b" | 7', '7', 7],
    ['"1" | "2" | "3…', '4', '4'],
    ['list of string', '["2027"]', ['2027']],
    ['{on: boolean}', '{"on":true}', { on: true }],
  ])('of the form %s: %s is %j', (form, text, value) => {
    expect(readArguments([`it=${text}`], [{ name: 'it', form, isRequired: true }])).toEqual({ it: value });
  });

  it('are refused where a number would be another', () => {
    const parameters = [{ name: 'it', form: 'integer', isRequired: true }];
    expect(() => readArguments(['it=123456789012345678'], parameters)).toThrow('more digits');
  });

  it.each(['to', '=Bob', ''])('are refused without a name: %j', (pair) => {
    expect(() => readArguments([pair])).toThrow('write name=value');
  });
});
