import type { SuiteHealth } from '@kith/contracts';
import type { ModelRoles } from '@kith/llm';
import type { ModelCatalog } from './model-catalog.js';

/** Names the models that speak now, for the health page. It shows an operator whether only the rehearsal does. */
export class ModelNames {
  constructor(
    private readonly roles: ModelRoles,
    private readonly catalog: ModelCatalog,
  ) {}

  read(): SuiteHealth['models'] {
    const chat = this.roles.chat.models;
    return {
      chat,
      fast: this.roles.fast?.models ?? [],
      rehearsal: chat.every((model) => model === 'rehearsal'),
      notes: this.catalog.notes,
    };
  }
}
