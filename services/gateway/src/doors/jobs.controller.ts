import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  JobAction,
  jobsContract,
  RecurringJobName,
  type JobList,
  type RecurringJobView,
} from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import type { z } from 'zod';
import { Needs } from './api-key.guard.js';
import { Parse } from './parse-input.js';

/** What recurs: when it ran, and an operator's hand on it. */
@Controller('v1/jobs')
export class JobsController {
  constructor(private readonly messenger: Messenger) {}

  @Get()
  @Needs('admin')
  onList(): Promise<z.output<typeof JobList>> {
    return this.messenger.ask(jobsContract.list, {});
  }

  @Post(':name/:action')
  @HttpCode(200)
  @Needs('admin')
  onSteer(
    @Param('name', new Parse(RecurringJobName, 'name')) name: RecurringJobName,
    @Param('action', new Parse(JobAction, 'action')) action: z.output<typeof JobAction>,
  ): Promise<RecurringJobView> {
    return this.messenger.ask(jobsContract.steer, { name, action });
  }
}
