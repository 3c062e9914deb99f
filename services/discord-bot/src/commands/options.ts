import { ApplicationCommandOptionType } from 'discord-api-types/v10';

interface MoreOfOption {
  required?: true;
  /** Most characters of a text. */
  max_length?: number;
  choices?: { name: string; value: string }[];
}

/** An option that takes a text. */
export function textOption(name: string, description: string, more: MoreOfOption) {
  return { type: ApplicationCommandOptionType.String as const, name, description, ...more };
}

/** An option that takes a whole number. */
export function countOption(name: string, description: string, min_value: number, max_value?: number) {
  const most = max_value === undefined ? {} : { max_value };
  return { type: ApplicationCommandOptionType.Integer as const, name, description, min_value, ...most };
}

/** An option that takes a yes or a no. */
export function flagOption(name: string, description: string, more: Pick<MoreOfOption, 'required'> = {}) {
  return { type: ApplicationCommandOptionType.Boolean as const, name, description, ...more };
}
