import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SERVICES } from '@kith/contracts';
import { listSettings, readSettings, type SettingsTree } from '@kith/service-host/settings';
import { parseEnv } from 'node:util';

const root = join(import.meta.dirname, '../..');

async function settingsOf(service: string): Promise<SettingsTree> {
  const module = (await import(join(root, 'services', service, 'src/config.ts'))) as {
    settings: SettingsTree;
  };
  return module.settings;
}

describe('.env.example', () => {
  const text = readFileSync(join(root, '.env.example'), 'utf8');

  it('is what tools/env-example.mjs writes from the settings: run it after a change', async () => {
    const named = new Set([...text.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name));
    for (const service of SERVICES) {
      for (const { variable, purpose } of listSettings(await settingsOf(service))) {
        expect([variable, named.has(variable)]).toEqual([variable, true]);
        if (!['KITH_KEY', 'QDRANT_API_KEY', 'METRICS_TOKEN', 'THOUGHTS_KEY'].includes(variable))
          expect(text).toContain(`# ${purpose}\n`);
      }
    }
  });

  it('with every line taken in, is accepted by every service', async () => {
    const uncommented = text.replaceAll(/^# ([A-Z][A-Z0-9_]+=)/gm, '$1');
    const environment = {
      ...parseEnv(uncommented),
      REDIS_URL: 'redis://localhost:6379',
      DATABASE_URL: 'postgres://kith_app:x@localhost:5432/kith',
    };
    for (const service of SERVICES) {
      const settings = await settingsOf(service);
      expect(() => readSettings(settings, environment)).not.toThrow();
    }
  });
});

it('the operator’s key is refused by its name where it is not whole', async () => {
  const [one] = listSettings(await settingsOf('gateway')).filter(({ variable }) => variable === 'KITH_KEY');
  expect(() => readSettings({ one: one! }, { KITH_KEY: 'kth_cut' })).toThrow(/^KITH_KEY: is cut/);
});

describe('settings of time', () => {
  it('have an end, past which a timer is over at once and a date is none', async () => {
    const all = (await Promise.all(SERVICES.map(settingsOf))).flatMap(listSettings);
    for (const one of all.filter(({ variable }) => /_(?:MS|MINUTES|DAYS)$/.test(variable))) {
      const refused = () => readSettings({ one }, { [one.variable]: '9999999999' });
      expect(refused).toThrow(one.variable);
    }
  });
});

it('an address without http:// is refused by its variable', async () => {
  const all = (await Promise.all(SERVICES.map(settingsOf))).flatMap(listSettings);
  const bases = all.filter(({ variable }) => /_(?:BASE_URL|API_BASE)$|^QDRANT_URL$/.test(variable));
  expect(bases.length).toBeGreaterThan(8);
  for (const one of bases) {
    const refused = () => readSettings({ one }, { [one.variable]: 'localhost:8000' });
    expect(refused).toThrow(`${one.variable}: an address that begins with http:// or https://`);
  }
});
