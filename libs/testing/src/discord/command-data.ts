import type { CommandOption, RegisteredCommand } from './application-routes.js';
import type { Json } from './discord-world.js';

export type OptionValue = string | number | boolean;

const VALUE_TYPES: Readonly<Record<number, string>> = {
  3: 'string',
  4: 'number',
  5: 'boolean',
  10: 'number',
};

/**
 * A slash command's `data`, as Discord builds it from what is registered. Throws on what Discord's own
 * client would not let anyone send: an unknown command or option, a missing one, a value of another type.
 */
export function commandData(
  commands: readonly RegisteredCommand[],
  name: string,
  subcommand: string | null,
  values: Readonly<Record<string, OptionValue>>,
): Json {
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) throw new Error(`/${name} is not registered`);
  const base = { id: command.id, name, type: command.type };
  if (subcommand === null) return { ...base, options: optionData(`/${name}`, command.options, values) };
  const chosen = command.options.find((option) => option.name === subcommand && option.type === 1);
  if (!chosen) throw new Error(`/${name} ${subcommand} is not registered`);
  const options = optionData(`/${name} ${subcommand}`, chosen.options ?? [], values);
  return { ...base, options: [{ name: subcommand, type: 1, options }] };
}

function optionData(
  path: string,
  declared: readonly CommandOption[],
  values: Readonly<Record<string, OptionValue>>,
): Json[] {
  const missing = declared.find((option) => option.required === true && !(option.name in values));
  if (missing) throw new Error(`${path} needs the option ${missing.name}`);
  return Object.entries(values).map(([name, value]) => {
    const option = declared.find((candidate) => candidate.name === name);
    if (!option) throw new Error(`${path} has no option ${name}`);
    if (VALUE_TYPES[option.type] !== typeof value) throw new Error(`${path} ${name} takes another type`);
    if (option.choices && !option.choices.some((choice) => choice.value === value))
      throw new Error(`${path} ${name} has no choice ${String(value)}`);
    return { name, type: option.type, value };
  });
}
