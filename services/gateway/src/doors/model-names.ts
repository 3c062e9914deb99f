import type { SuiteHealth } from '@kith/contracts';
import type { ModelRoles } from '@kith/llm';
import type { ModelDesk } from '../models/model-desk.js';

/** Which models speak now, for the health page: an operator sees at a glance whether it is the rehearsal alone. */
export class ModelNames {
  constructor(
    private readonly roles: ModelRoles,
    private readonly desk: ModelDesk,
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
