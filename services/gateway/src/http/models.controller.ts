import { modelRoutes } from '@kith/contracts';
import { ModelCatalog } from '../models/model-catalog.js';
import { serveRoutes } from './serve-routes.js';

/** Serves operators the list of models and their test. */
export const ModelsController = serveRoutes(modelRoutes, [ModelCatalog], (models) => ({
  list: () => models.view(),
  test: ({ body: { role, model } }) => models.test(role, model),
}));
