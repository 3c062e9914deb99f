import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { gatewayContract, outreachContract } from '@kith/contracts';
import { assertOneHandler, contractsOf } from '@kith/messaging';
import { ProactiveSchedulerController } from './proactive-scheduler.controller.js';

it('handles each outreach request and job exactly once, and nobody else’s', () => {
  expect(() => assertOneHandler(outreachContract, [ProactiveSchedulerController])).not.toThrow();
});

it('hears whom no door reaches', () => {
  expect(contractsOf([ProactiveSchedulerController]).hears).toEqual([gatewayContract.unreachable.pattern]);
});
