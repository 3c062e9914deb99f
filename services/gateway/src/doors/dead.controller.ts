import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { DeadAction, type DeadDone, type DeadList } from '@kith/contracts';
import { z } from 'zod';
import { DeadWork } from '../dead/dead-work.js';
import { Needs } from './api-key.guard.js';
import { Parse } from './parse-input.js';

/** A letter's or a job's id, and what it is of: longer ones there are none. */
function named(field: string) {
  return new Parse(z.string().min(1).max(200), field);
}

/** What was given up, and an operator's hand on it. */
@Controller('v1/dead')
export class DeadController {
  constructor(private readonly work: DeadWork) {}

  @Get()
  @Needs('admin')
  async onList(): Promise<z.output<typeof DeadList>> {
    return { dead: await this.work.list() };
  }

  @Post(':what/:id/:action')
  @HttpCode(200)
  @Needs('admin')
  async onAct(
    @Param('what', named('what')) what: string,
    @Param('id', named('id')) id: string,
    @Param('action', new Parse(DeadAction, 'action')) action: z.output<typeof DeadAction>,
  ): Promise<z.output<typeof DeadDone>> {
    await this.work.act(what, id, action);
    return { id: `${what}/${id}` };
  }
}
