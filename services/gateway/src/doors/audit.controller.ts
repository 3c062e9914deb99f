import { Controller, Get, Query } from '@nestjs/common';
import type { OperatorActionList } from '@kith/contracts';
import { z } from 'zod';
import { OperatorActions } from '../audit/operator-actions.js';
import { Needs } from './api-key.guard.js';
import { Page } from './page.js';
import { Parse } from './parse-input.js';

const Log = Page.extend({
  action: z.string().trim().min(1).max(100).optional(),
  person: z.uuid().optional(),
});

/** What operators did and looked at. */
@Controller('v1/audit')
export class AuditController {
  constructor(private readonly actions: OperatorActions) {}

  @Get()
  @Needs('audit')
  onList(@Query(new Parse(Log)) query: z.output<typeof Log>): Promise<z.output<typeof OperatorActionList>> {
    return this.actions.list(query);
  }
}
