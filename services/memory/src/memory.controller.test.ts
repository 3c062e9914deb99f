import { describe, expect, it } from '@jest/globals';
import { loreContract, memoryContract } from '@kith/contracts';
import { assertOneHandler } from '@kith/messaging';
import { LoreController } from './lore.controller.js';
import { MemoryController } from './memory.controller.js';

describe('the memory service', () => {
  it('handles each of its requests and jobs exactly once', () => {
    expect(() => assertOneHandler(memoryContract, [MemoryController])).not.toThrow();
    expect(() => assertOneHandler(loreContract, [LoreController])).not.toThrow();
  });
});
