import { Controller, Get, Query } from '@nestjs/common';
import type { OperatorActionList } from '@kith/contracts';
import type { z } from 'zod';
import { OperatorActions } from '../audit/operator-actions.js';
import { Needs } from './api-key.guard.js';
import { Page } from './page.js';
import { Parse } from './parse-input.js';

/** What operators did and looked at. */
@Controller('v1/audit')
export class AuditController {
  constructor(private readonly actions: OperatorActions) {}

  @Get()
  @Needs('admin')
  onList(
    @Query(new Parse(Page)) { limit, cursor }: z.output<typeof Page>,
  ): Promise<z.output<typeof OperatorActionList>> {
    return this.actions.list(limit, cursor);
  }
}
