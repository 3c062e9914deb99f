import { auditRoutes } from '@kith/contracts';
import { Controller } from '@nestjs/common';
import { OperatorActions } from '../audit/operator-actions.js';
import { Serves, type RouteCall } from './serves.js';

/** Serves the log of what operators did and looked at. */
@Controller()
export class AuditController {
  constructor(private readonly actions: OperatorActions) {}

  @Serves(auditRoutes.list)
  onList({ query }: RouteCall<typeof auditRoutes.list>) {
    return this.actions.list(query);
  }
}
