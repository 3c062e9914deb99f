import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { jsonOf } from './json-of.js';

const Named = z.object({ name: z.string() });

describe('JSON of a form', () => {
  it('is read as its form has it', () => {
    expect(jsonOf(Named, '{"name":"Mira","more":1}')).toEqual({ name: 'Mira' });
  });

  it.each(['', 'no JSON', 'null', '{"name":1}'])('is none in %j', (text) => {
    expect(jsonOf(Named, text)).toBeNull();
  });
});
