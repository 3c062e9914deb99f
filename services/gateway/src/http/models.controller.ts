import { modelRoutes } from '@kith/contracts';
import { Controller } from '@nestjs/common';
import { ModelCatalog } from '../models/model-catalog.js';
import { Serves, type RouteCall } from './serves.js';

/** Serves operators the list of models and their test. */
@Controller()
export class ModelsController {
  constructor(private readonly models: ModelCatalog) {}

  @Serves(modelRoutes.list)
  onList() {
    return this.models.view();
  }

  @Serves(modelRoutes.test)
  onTest({ body: { role, model } }: RouteCall<typeof modelRoutes.test>) {
    return this.models.test(role, model);
  }
}
