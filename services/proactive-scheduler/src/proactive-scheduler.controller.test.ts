import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { gatewayContract, jobsContract, outreachContract } from '@kith/contracts';
import { assertOneHandler, contractsOf } from '@kith/messaging';
import { ProactiveSchedulerController } from './proactive-scheduler.controller.js';

it('handles each request and job of its own exactly once, and nobody else’s', () => {
  const own = Object.fromEntries(
    [...Object.values(outreachContract), ...Object.values(jobsContract)].map((one) => [one.pattern, one]),
  );
  expect(() => assertOneHandler(own, [ProactiveSchedulerController])).not.toThrow();
});

it('hears whom no door reaches', () => {
  expect(contractsOf([ProactiveSchedulerController]).hears).toEqual([gatewayContract.unreachable.pattern]);
});
