import { describe, expect, it } from '@jest/globals';
import { KEY, runCli, startScriptedApi } from '../e2e/scripted-api.js';
import { readArguments } from './tools.js';

it('a list of tools names those that are left out', async () => {
  const api = await startScriptedApi();
  const { exit, texts } = runCli(['tools', 'list'], { url: api.url, key: KEY });
  expect([await exit, texts.notes]).toEqual([0, 'left out of home: 3 tools (too many, or not readable)\n']);
  await api.stop();
});

describe('arguments of a tool', () => {
  it('are names with JSON or a text', () => {
    expect(readArguments(['to=Bob', 'count=3', 'urgent=true', 'note=a=b', 'body={"on":true}'])).toEqual({
      ...{ to: 'Bob', count: 3, urgent: true, note: 'a=b', body: { on: true } },
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
    ['list of string', '["2027"]', ['2027']],
    ['{on: boolean}', '{"on":true}', { on: true }],
  ])('of the form %s: %s is %j', (form, text, value) => {
    expect(readArguments([`it=${text}`], [{ name: 'it', form, isRequired: true }])).toEqual({ it: value });
  });

  it.each(['to', '=Bob', ''])('are refused without a name: %j', (pair) => {
    expect(() => readArguments([pair])).toThrow('write name=value');
  });
});
