import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { explainFields } from '../errors/explain-issue.js';
import { ALL_ROUTES } from './all-routes.js';
import { addressNumber } from './page.js';

describe('a number of an address', () => {
  const number = addressNumber(0, 1_000);

  it('is told by digits', () => {
    expect(number.parse('0')).toBe(0);
    expect(number.parse('1000')).toBe(1_000);
  });

  it.each(['', ' ', '%20', ' 1', '1.0', '1e2', '0x10', '-1', '+1', '1001', '٣', ['1'], true, null])(
    'is not %j',
    (given) => {
      expect(number.safeParse(given).success).toBe(false);
    },
  );

  it.each(['1e20', '9'.repeat(40), '-1', '1.5', 'x'])('that is %s is told what it may be', (limit) => {
    const message = 'a whole number from 0 to 1000';
    expect(explainFields(z.object({ limit: number }).safeParse({ limit }).error!, 'query')).toEqual([
      { field: 'limit', message },
    ]);
  });

  it('is read in this way by every route', () => {
    const fields = ALL_ROUTES.flatMap(({ path, params, query }) =>
      [params, query].flatMap((part) =>
        Object.entries<z.ZodType>(part?.shape ?? {}).map(([name, schema]) => ({
          route: `${path} ${name}`,
          schema,
          json: z.toJSONSchema(schema, { io: 'input' }),
        })),
      ),
    );
    const numbers = fields.filter(({ json }) => json.type === 'integer' || json.type === 'number');
    expect(numbers.length).toBeGreaterThan(10);
    const lax = numbers.filter(
      ({ schema }) => schema.safeParse(' ').success || schema.safeParse('1e0').success,
    );
    expect(lax.map(({ route }) => route)).toEqual([]);
  });
});
