import { auditRoutes, jobRoutes, jobsContract, modelRoutes } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { OperatorActions } from '../audit/operator-actions.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { serveRoutes } from './serve-routes.js';

/** Serves operators the list of models and their test. */
export const ModelsController = serveRoutes(modelRoutes, [ModelCatalog], (models) => ({
  list: () => models.view(),
  test: ({ body: { role, model } }) => models.test(role, model),
}));

/** Serves operators the recurring jobs. */
export const JobsController = serveRoutes(jobRoutes, [Messenger], (messenger) => ({
  list: () => messenger.ask(jobsContract.list, {}),
  steer: ({ params }) => messenger.ask(jobsContract.steer, params),
}));

/** Serves the log of what operators did and looked at. */
export const AuditController = serveRoutes(auditRoutes, [OperatorActions], (actions) => ({
  list: ({ query }) => actions.list(query),
}));
