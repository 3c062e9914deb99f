import type { SuiteHealth } from '@kith/contracts';
import type { ModelRoles } from '@kith/llm';
import type { ModelCatalog } from './model-catalog.js';

/** Names the models that speak now, for the health page: an operator sees whether it is the rehearsal alone. */
export class ModelNames {
  constructor(
    private readonly roles: ModelRoles,
    private readonly desk: ModelCatalog,
  ) {}

  read(): SuiteHealth['models'] {
    const chat = this.roles.chat.models;
    return {
      chat,
      fast: this.roles.fast?.models ?? [],
      rehearsal: chat.every((model) => model === 'rehearsal'),
      notes: this.desk.notes,
    };
  }
}
