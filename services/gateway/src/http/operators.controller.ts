import { auditRoutes, jobRoutes, jobsContract, modelRoutes } from '@kith/contracts';
import { serveRoutes } from './serve-routes.js';

/** Serves operators the list of models and their test. */
export const ModelsController = serveRoutes(modelRoutes, ({ models }) => ({
  list: () => models.view(),
  test: ({ body: { role, model } }) => models.test(role, model),
}));

/** Serves operators the recurring jobs. */
export const JobsController = serveRoutes(jobRoutes, ({ messenger }) => ({
  list: () => messenger.ask(jobsContract.list, {}),
  steer: ({ params }) => messenger.ask(jobsContract.steer, params),
}));

/** Serves the log of what operators did and looked at. */
export const AuditController = serveRoutes(auditRoutes, ({ actions }) => ({
  list: ({ query }) => actions.list(query),
}));
