import { auditRoutes } from '@kith/contracts';
import { OperatorActions } from '../audit/operator-actions.js';
import { serveRoutes } from './serve-routes.js';

/** Serves the log of what operators did and looked at. */
export const AuditController = serveRoutes(auditRoutes, [OperatorActions], (actions) => ({
  list: ({ query }) => actions.list(query),
}));
