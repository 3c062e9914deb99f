import { describe, expect, it } from '@jest/globals';
import { readParameters, requireArguments } from './tool-parameters.js';

const lamp = {
  type: 'object',
  properties: {
    room: { type: 'string' },
    body: {
      type: 'object',
      properties: { on: { type: 'boolean' }, tint: { enum: ['warm', 'cold'] } },
      required: ['on'],
    },
  },
  required: ['body'],
};

describe('the arguments of a tool', () => {
  it('are listed with their form, those that are needed first', () => {
    expect(readParameters(lamp)).toEqual([
      { name: 'body', form: '{on: boolean, tint?: "warm" | "cold"}', isRequired: true },
      { name: 'room', form: 'string', isRequired: false },
    ]);
  });

  it.each([
    ['no schema', { properties: 7 }, []],
    ['nothing', { type: 'object' }, []],
    [
      'forms of many kinds',
      {
        properties: {
          a: { type: 'array', items: { type: 'string' } },
          b: { type: ['string', 'null'] },
          c: true,
        },
      },
      ['list of string', 'string | null', 'any'],
    ],
  ])('are read from %s', (_, schema, forms) => {
    expect(readParameters(schema).map(({ form }) => form)).toEqual(forms);
  });

  it('are marked where their form is cut', () => {
    const rooms = Array.from({ length: 60 }, (_, number) => `r${number}`);
    const [{ form } = { form: '' }] = readParameters({ properties: { room: { enum: rooms } } });
    expect([form.length, form]).toEqual([200, expect.stringMatching(/^"r0" \| .*…$/)]);
  });

  it.each([
    [{ on: true }, 'arguments.on'],
    [{ body: { on: true }, nonsense: 1 }, 'arguments.nonsense'],
    [{ body: {}, constructor: 1 }, 'arguments.constructor'],
    [{ room: 'hall' }, 'arguments.body'],
    [{}, 'arguments.body'],
  ])('are refused where they are %j', (given, field) => {
    let refused: unknown;
    try {
      requireArguments('switchLamp', lamp, given);
    } catch (error) {
      refused = error;
    }
    expect(refused).toMatchObject({ code: 'invalid_request', details: { field } });
  });

  it.each([
    [lamp, { body: { on: true } }],
    [
      { ...lamp, additionalProperties: true },
      { body: {}, more: 1 },
    ],
    [{ anyOf: [{ properties: { a: {} } }] }, { a: 1 }],
    [{ type: 'object' }, {}],
  ])('of %j may be %j', (schema, given) => {
    expect(() => requireArguments('t', schema, given)).not.toThrow();
  });
});
