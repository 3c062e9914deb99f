import type { CommandOptions, CommandUnknownOpts } from '@commander-js/extra-typings';

/** Adds a command to the program, or to another command. */
export function addCommand<Usage extends string>(
  parent: CommandUnknownOpts,
  usage: Usage,
  description: string,
  options?: CommandOptions,
) {
  return parent.command(usage, options).description(description);
}

/** Adds a command that can print its result as JSON. */
export function addJsonCommand<Usage extends string>(...given: Parameters<typeof addCommand<Usage>>) {
  return addCommand(...given).option('--json', 'as JSON, for scripts');
}
