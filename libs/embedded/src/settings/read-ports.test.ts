import { describe, expect, it } from '@jest/globals';
import { readPorts } from './read-ports.js';

describe('the ports of a suite', () => {
  it('are the usual ones where nothing is set', () => {
    expect(readPorts({ GATEWAY_PORT: '' })).toMatchObject({ gateway: 3000, postgres: 5439, redis: 6389 });
    expect(readPorts({ GATEWAY_PORT: '4300' })).toMatchObject({ gateway: 4300, embedding: 3001 });
  });

  it.each(['0', '-1', '65536', 'abc', '30.5'])('are refused where one is "%s"', (port) => {
    expect(() => readPorts({ KITH_REDIS_PORT: port })).toThrow(
      `KITH_REDIS_PORT is a port from 1 to 65535, not "${port}": mend it in .env`,
    );
  });

  it('are refused where two are the same, also with one that is not set', () => {
    expect(() => readPorts({ GATEWAY_PORT: '3001', MEMORY_PORT: 'x' })).toThrow(
      'EMBEDDING_PORT is 3001, which GATEWAY_PORT is as well; MEMORY_PORT is a port from 1 to 65535, not "x"',
    );
  });
});
