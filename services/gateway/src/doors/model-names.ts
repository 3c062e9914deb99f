import type { ModelRoles } from '@kith/llm';

/** Which models are set, for the health page: an operator sees at a glance whether it is the rehearsal alone. */
export class ModelNames {
  readonly chat: string[];
  readonly fast: string[];
  readonly rehearsal: boolean;

  constructor(roles: ModelRoles) {
    this.chat = roles.chat.models;
    this.fast = roles.fast?.models ?? [];
    this.rehearsal = this.chat.every((model) => model === 'rehearsal');
  }
}
