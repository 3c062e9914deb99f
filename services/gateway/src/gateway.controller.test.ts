import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { gatewayContract } from '@kith/contracts';
import { assertOneHandler } from '@kith/messaging';
import { GatewayController } from './gateway.controller.js';

describe('the gateway', () => {
  it('has exactly one handler for each of its requests and jobs', () => {
    expect(() => assertOneHandler(gatewayContract, [GatewayController])).not.toThrow();
  });
});
