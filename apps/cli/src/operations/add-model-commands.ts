import { addCommand, addJsonCommand } from '../input/add-command.js';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Option, type Command } from '@commander-js/extra-typings';
import { modelRoutes, type ModelsView } from '@kith/contracts';
import { CATALOGUE, DEFAULT_HUB, DEFAULT_MODELS_DIRECTORY, PullFailure, pullModel } from '@kith/local-models';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import { msOf } from '../terminal/value-words.js';

type RoleModel = ModelsView['roles'][number]['models'][number];

/** Adds the commands for language models that the suite asks, and for encoders on this machine. */
export function addModelCommands(program: Command, context: CommandContext): void {
  const { api, terminal } = context;
  const models = addCommand(
    program,
    'models',
    'list and test the language models that are asked, which needs a key with the scope admin, and encoders on this machine',
  );
  addJsonCommand(
    models,
    'list',
    'list the models of each role: how they were chosen, what they cost, how they are',
    { isDefault: true },
  )
    .option('--all', 'everything the hosts offer, too')
    .action(async ({ all, json }) => {
      const view = await api.call(modelRoutes.list);
      if (json) return terminal.json(view);
      const asked = view.roles.flatMap(({ role, models }) => models.map((model) => ({ role, ...model })));
      terminal.table(asked, [
        { header: 'role', value: ({ role }) => role },
        { header: 'model', value: ({ model }) => model },
        { header: 'chosen', value: describeChoice },
        { header: 'price in/out', value: describePrice, align: 'right' },
        { header: 'state', value: describeState, flexible: true },
      ]);
      if (asked.every(({ model }) => model === 'rehearsal'))
        terminal.line('No model is set up: put a key into .env, such as OPENAI_API_KEY, and restart.');
      for (const { name, problem, models } of view.hosts) {
        if (problem) terminal.line(`${name} did not list its models: ${problem}`);
        else if (all) {
          terminal.line(`\n${name} offers:`);
          terminal.table(models, [
            { header: 'model', value: ({ id }) => id },
            { header: 'context', value: (model) => String(model.contextTokens ?? '-'), align: 'right' },
            { header: 'price in/out', value: describePrice, align: 'right' },
            { header: 'ends', value: ({ retiresOn }) => retiresOn ?? '-' },
          ]);
        } else terminal.line(`${name} offers ${models.length} models; --all lists them`);
      }
      for (const note of view.notes) terminal.line(`note: ${note}`);
    });
  addJsonCommand(
    models,
    'test',
    'send a role’s models small requests: a stream, JSON, a tool call; costs some tokens',
  )
    .addOption(
      new Option('--role <role>', 'whose models').choices(['chat', 'fast', 'embedding']).default('chat'),
    )
    .option('--model <model>', 'only this one, as host:model')
    .action(async ({ role, model, json }) => {
      if (!json) terminal.line('asking: a few seconds a model…');
      const { tests } = await api.call(modelRoutes.test, { body: { role, model } });
      if (json) terminal.json(tests);
      for (const test of json ? [] : tests) {
        const cost =
          test.costUsd === null ? describePrice(test) : `this test cost $${test.costUsd.toFixed(6)}`;
        terminal.line(`${test.model}   ${cost}`);
        terminal.table(test.checks, [
          { header: 'ability', value: ({ ability }) => ability },
          { header: 'works', value: ({ problem }) => (problem === null ? 'yes' : 'no') },
          { header: 'first word', value: ({ firstTokenMs }) => msOf(firstTokenMs), align: 'right' },
          { header: 'whole', value: ({ tookMs }) => msOf(tookMs), align: 'right' },
          { header: 'problem', value: ({ problem }) => problem ?? '', flexible: true },
        ]);
      }
      const needed = tests.flatMap(({ checks }) => checks.filter(({ ability }) => ability !== 'tool-call'));
      if (needed.some(({ problem }) => problem !== null))
        throw new CliError('a model lacks what it needs; kith models list --all shows what its host offers');
    });

  addJsonCommand(
    models,
    'local',
    'list encoders for recall by meaning that run on this machine, and which are here',
  ).action(({ json }) => {
    const directory = modelsDirectory(context.config);
    const models = Object.entries(CATALOGUE).map(
      ([name, { languages, licence, megabytes, description }]) => ({
        name,
        languages,
        licence,
        megabytes,
        dimensions: description.dimensions,
        isHere: existsSync(join(directory, name)),
      }),
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
  });
  addCommand(models, 'pull <name>', 'fetch such an encoder into the folder for models; needs no key').action(
    async (name) => {
      const { config } = context;
      const hub = config.setting('KITH_MODELS_HUB') ?? DEFAULT_HUB;
      const onProgress = ({ bytes, total }: { bytes: number; total: number }) =>
        terminal.showProgress(bytes / total, `${name}: ${inMegabytes(bytes)} of ${inMegabytes(total)} MB`);
      const pulled = pullModel(name, { directory: modelsDirectory(config), hub, onProgress });
      const folder = await pulled.catch((error: unknown) => {
        if (error instanceof PullFailure) throw new CliError(error.message, 1, { cause: error });
        throw error;
      });
      terminal.stopWaiting();
      terminal.line(`${name} is in ${folder}.`);
      terminal.line(
        `Set EMBEDDING_NEXT_PROVIDER=local:${name} and restart: memories are embedded anew beside.`,
      );
    },
  );
}

function describeChoice({ model, isNamed, chosenAt, replaced }: RoleModel): string {
  if (model === 'rehearsal') return '-';
  if (isNamed) return 'in settings';
  if (chosenAt === null) return 'last known';
  return `by default, ${chosenAt.slice(0, 10)}${replaced ? ` (for ${replaced})` : ''}`;
}

function describeState({ problem, retiresOn }: RoleModel): string {
  const ends = retiresOn === null ? [] : [`ends on ${retiresOn}`];
  return [...(problem === null ? [] : [`failed: ${problem}`]), ...ends].join('; ') || 'ok';
}

/** US dollars for a million tokens. */
function describePrice({ price }: Pick<RoleModel, 'price'>): string {
  return price === null ? '-' : `$${price.input}/$${price.output}`;
}

function modelsDirectory({ projectRoot, setting }: CommandContext['config']): string {
  return resolve(projectRoot, setting('EMBEDDING_MODELS_DIR') ?? DEFAULT_MODELS_DIRECTORY);
}

function inMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
