import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CATALOGUE, DEFAULT_HUB, DEFAULT_MODELS_DIRECTORY, PullFailure, pullModel } from '@kith/local-models';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';

type Parts = Pick<CommandContext, 'config' | 'terminal'>;

/** Prints the encoders that can be fetched, and which are there. */
export async function listLocalModels(
  { config, terminal }: Parts,
  { json = false }: { json?: boolean },
): Promise<void> {
  const directory = modelsDirectory(config);
  const models = await Promise.all(
    Object.entries(CATALOGUE).map(async ([name, { languages, licence, megabytes, description }]) => ({
      ...{ name, languages, licence, megabytes, dimensions: description.dimensions },
      isHere: await access(join(directory, name)).then(
        () => true,
        () => false,
      ),
    })),
  );
  if (json) return terminal.json(models);
  terminal.table(models, [
    { header: 'model', value: ({ name }) => name },
    { header: 'languages', value: ({ languages }) => languages },
    { header: 'licence', value: ({ licence }) => licence },
    { header: 'MB', value: ({ megabytes }) => String(megabytes), align: 'right' },
    { header: 'here', value: ({ isHere }) => (isHere ? 'yes' : 'no') },
  ]);
  terminal.line('kith models pull NAME fetches one.');
}

/** Fetches an encoder into the models' folder, and says how to use it. */
export async function pullLocalModel({ config, terminal }: Parts, name: string): Promise<void> {
  const directory = modelsDirectory(config);
  const hub = config.setting('KITH_MODELS_HUB') ?? DEFAULT_HUB;
  try {
    const folder = await pullModel(name, {
      directory,
      hub,
      onProgress: ({ bytes, total }) =>
        terminal.showProgress(bytes / total, `${name}: ${inMegabytes(bytes)} of ${inMegabytes(total)} MB`),
    });
    terminal.stopWaiting();
    terminal.line(`${name} is in ${folder}.`);
    terminal.line(
      `Set EMBEDDING_NEXT_PROVIDER=local:${name} and restart: memories are embedded anew beside.`,
    );
  } catch (error) {
    if (error instanceof PullFailure) throw new CliError(error.message, 1, { cause: error });
    throw error;
  }
}

function modelsDirectory({ projectRoot, setting }: CommandContext['config']): string {
  return resolve(projectRoot, setting('EMBEDDING_MODELS_DIR') ?? DEFAULT_MODELS_DIRECTORY);
}

function inMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
