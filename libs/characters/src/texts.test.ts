import { describe, expect, it } from '@jest/globals';
import { slowReadings } from '@kith/testing';
import { expandMacros, macrosLeftOut } from './texts.js';

const expanded = (text: string) => expandMacros(text, { name: 'Orla', person: 'Ann' });

describe('macros of a card', () => {
  it.each([
    ['{{char}} met {{User}}, <USER> and <bot>.', 'Orla met Ann, Ann and Orla.'],
    ['{{agentName}} and {{ agent }} met {{name1}}.', 'Orla and Orla met Ann.'],
    ['{{random:red,blue}} {{pick::a::b}}{{// a note}}', 'red a'],
    ['{{random::Well, {{user}}?::Hm}}', 'Well, Ann?'],
    ['{{random:{{user}},a stranger}} came.', 'Ann came.'],
    [String.raw`{{random:well\, well,no}} {{ pick : a, b }}`, 'well, well a'],
    ['{{random_user_1}} waves at {{char}}.', 'Ann waves at Orla.'],
    ['{{pick::{{random:{{char}},x}}::y}} went.', 'Orla went.'],
    ['{{setvar::mood::{{random:calm,wild}}}}Hello.', 'Hello.'],
    ['{{// {{user}} is not told}}Hello.', 'Hello.'],
    ['One.{{newline}}Two. It is {{time}}.', 'One.\nTwo. It is .'],
    ['a { brace } and {{ an open one', 'a { brace } and {{ an open one'],
  ])('are expanded from the innermost: %s', (text, expected) => {
    expect(expanded(text)).toBe(expected);
  });

  it('are named where they would stand for words that are not known here', () => {
    const known =
      '{{char}} {{USER}} {{random:a,{{user}}}} {{// a note}} {{trim}} {{setvar::a::b}} {{newline}} {{}}';
    expect(macrosLeftOut(known)).toEqual([]);
    expect(macrosLeftOut(`${known} {{Time}} {{time}} {{roll:d6}} {{getvar::a}}`)).toEqual([
      '{{time}}',
      '{{roll}}',
      '{{getvar}}',
    ]);
  });

  it('keep their reader busy for no longer than 50 ms', () => {
    expect(slowReadings((text) => [expanded(text), macrosLeftOut(text)])).toEqual([]);
  }, 300_000);
});
