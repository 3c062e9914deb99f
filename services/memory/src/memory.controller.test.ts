import { describe, expect, it } from '@jest/globals';
import { loreContract, memoryContract } from '@kith/contracts';
import { assertOneHandler } from '@kith/messaging';
import { MemoryController } from './memory.controller.js';

describe('the memory service', () => {
  it('handles each of its requests and jobs exactly once', () => {
    const own = { ...memoryContract, ...loreContract };
    expect(() => assertOneHandler(own, [MemoryController])).not.toThrow();
  });
});
