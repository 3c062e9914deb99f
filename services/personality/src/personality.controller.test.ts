import { describe, expect, it } from '@jest/globals';
import { personalityContract } from '@kith/contracts';
import { assertOneHandler } from '@kith/messaging';
import { PersonalityController } from './personality.controller.js';

describe('the personality contract', () => {
  it('has exactly one handler for each request and job', () => {
    expect(() => assertOneHandler(personalityContract, [PersonalityController])).not.toThrow();
  });
});
