import { describe, expect, it } from '@jest/globals';
import { CharacterFormat } from '@kith/contracts';
import { emptyReport } from './character.js';
import { persona } from './e2e/character-zoo.js';
import { leaveOutSecrets } from './leave-out-secrets.js';
import { Persona } from './persona.js';
import { writeCharacter } from './write-character.js';

describe('secrets of a document', () => {
  it.each([
    'LANGFUSE_SECRET_KEY',
    'STRIPE_SECRET_KEY',
    'SECRET_SALT',
    'WALLET_SEED',
    'OPENAI_KEY',
    'GITHUB_PAT',
    'AZURE_SEARCH_KEY',
    'COSMOS_PRIMARY_KEY',
    'SEARCH_KEY',
    'PASSPHRASE',
    'AWS_ACCESS_KEY_ID',
    'accessKeyId',
    'openaiKey',
    'discord_token',
    'githubPat',
  ])('are left out with a line in the report: %s', (name) => {
    const report = emptyReport('eliza');
    expect(leaveOutSecrets({ settings: [{ [name]: 'sk-1', model: 'm' }] }, report)).toEqual({
      settings: [{ model: 'm' }],
    });
    expect(report.dropped).toEqual([
      { field: `settings[0].${name}`, note: expect.stringContaining('secret') },
    ]);
  });

  it.each<[string, unknown]>([
    ['apiKeys', ['sk-1']],
    ['api_key', { value: 'sk-1' }],
    ['OPENAI_KEYS', [{ value: 'sk-1' }]],
    ['privateKey', [12, 34]],
  ])('are left out also where they are no text: %s', (name, value) => {
    expect(leaveOutSecrets({ [name]: value }, emptyReport('eliza'))).toEqual({});
  });

  it('are not seen in what only has such a name', () => {
    const book = {
      keys: ['mill'],
      key: 'mill',
      secondary_keys: ['weir'],
      trigger_key: 'a, b',
      token_budget: 5,
    };
    const model = { seed: '7', max_tokens: 100, MAX_TOKENS: '100', STOP_TOKENS: ['x'], searchKeys: ['c'] };
    const empty = {
      api_key: '',
      apiKeys: [],
      secrets: {},
      secret: true,
      token: null,
      PRIMARY_KEY: 'id',
      STRIPE_PUBLIC_KEY: 'p',
    };
    const document = { ...book, ...model, ...empty };
    expect(leaveOutSecrets(document, emptyReport('tavern'))).toEqual(document);
  });

  it('are not seen in the parameters of a tool, but in what these hold', () => {
    const parameters = (page_token: object) => ({
      tools: [{ json_schema: { parameters: { properties: { page_token }, required: ['page_token'] } } }],
    });
    const optional = { anyOf: [{ type: 'string', description: 'from the page before' }, { type: 'null' }] };
    const few = { type: 'string', enum: ['first', 'last'], default: '' };
    for (const parameter of [{ type: 'string' }, { ...optional, default: null }, few]) {
      const report = emptyReport('letta');
      expect(leaveOutSecrets(parameters(parameter), report)).toEqual(parameters(parameter));
      expect(report.dropped).toEqual([]);
    }
    for (const held of [{ type: 'string', default: 'sk-1' }, { value: 'sk-1' }])
      expect(
        JSON.stringify(leaveOutSecrets({ ...parameters(held), token: optional }, emptyReport('letta'))),
      ).not.toMatch(/sk-1|anyOf/);
  });

  it.each(CharacterFormat.options)('do not go out that an edit put into a persona: %s', (format) => {
    const extensions = {
      other: { OPENAI_KEY: 'hidden' },
      eliza: { name: 'Nell', bio: '', apiKey: 'hidden' },
    };
    const character = { persona: Persona.parse({ ...persona, extensions }), lore: [] };
    expect(JSON.stringify(writeCharacter(character, format))).not.toContain('hidden');
  });
});
