import { modelRoutes, type ModelRoleName, type ModelsView } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';

type RoleModel = ModelsView['roles'][number]['models'][number];
type Price = RoleModel['price'];

/** Lists the models that are asked, and with `--all` everything that the hosts offer. */
export async function listModels(
  { api, terminal }: CommandContext,
  { all = false, json = false }: { all?: boolean; json?: boolean },
): Promise<void> {
  const view = await api.call(modelRoutes.list);
  if (json) return terminal.json(view);
  const asked = view.roles.flatMap(({ role, models }) => models.map((model) => ({ role, ...model })));
  terminal.table(asked, [
    { header: 'role', value: ({ role }) => role },
    { header: 'model', value: ({ model }) => model },
    { header: 'chosen', value: describeChoice },
    { header: 'price in/out', value: ({ price }) => describePrice(price), align: 'right' },
    { header: 'state', value: describeState, flexible: true },
  ]);
  if (asked.every(({ model }) => model === 'rehearsal')) {
    terminal.line('No model is set up: put a key into .env, such as OPENAI_API_KEY, and restart.');
  }
  for (const { name, problem, models } of view.hosts) {
    if (problem) terminal.line(`${name} did not list its models: ${problem}`);
    else if (all) {
      terminal.line(`\n${name} offers:`);
      terminal.table(models, [
        { header: 'model', value: ({ id }) => id },
        {
          header: 'context',
          value: ({ contextTokens }) => (contextTokens === null ? '-' : String(contextTokens)),
          align: 'right',
        },
        { header: 'price in/out', value: ({ price }) => describePrice(price), align: 'right' },
        { header: 'ends', value: ({ retiresOn }) => retiresOn ?? '-' },
      ]);
    } else terminal.line(`${name} offers ${models.length} models; --all lists them`);
  }
  for (const note of view.notes) terminal.line(`note: ${note}`);
}

/** Sends each of a role's models small requests, and prints what works, how fast and at what price. */
export async function testModels(
  { api, terminal }: CommandContext,
  { role, model, json = false }: { role: ModelRoleName | 'embedding'; model?: string; json?: boolean },
): Promise<void> {
  if (!json) terminal.line('asking: a few seconds a model…');
  const { tests } = await api.call(modelRoutes.test, { body: { role, model } });
  if (json) terminal.json(tests);
  else {
    for (const { model: name, checks, costUsd, price } of tests) {
      terminal.line(
        `${name}   ${costUsd === null ? describePrice(price) : `this test cost $${costUsd.toFixed(6)}`}`,
      );
      terminal.table(checks, [
        { header: 'ability', value: ({ ability }) => ability },
        { header: 'works', value: ({ problem }) => (problem === null ? 'yes' : 'no') },
        {
          header: 'first word',
          value: ({ firstTokenMs }) => (firstTokenMs === null ? '-' : `${firstTokenMs} ms`),
          align: 'right',
        },
        { header: 'whole', value: ({ tookMs }) => `${tookMs} ms`, align: 'right' },
        { header: 'problem', value: ({ problem }) => problem ?? '', flexible: true },
      ]);
    }
  }
  const needed = tests.flatMap(({ checks }) => checks.filter(({ ability }) => ability !== 'tool-call'));
  if (needed.some(({ problem }) => problem !== null)) {
    throw new CliError('a model lacks what it needs; kith models list --all shows what its host offers', 1);
  }
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
function describePrice(price: Price): string {
  return price === null ? '-' : `$${price.input}/$${price.output}`;
}
