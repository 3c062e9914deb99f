import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const program = join(import.meta.dirname, '../../scripts/address-lock.mjs');
const packages = {
  '': { name: 'kith' },
  'node_modules/@kith/cli': { resolved: 'apps/cli', link: true },
  'node_modules/left': { version: '1.2.3', integrity: 'sha512-a' },
  'node_modules/left/node_modules/@scope/right': { version: '4.5.6', integrity: 'sha512-b' },
  'node_modules/other': { name: '@scope/named', version: '7.8.9', integrity: 'sha512-c' },
};

describe('the lock with addresses', () => {
  let folder: string;
  const asked: string[] = [];
  const registry = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.statusCode = request.url?.startsWith('/ours/') ? 200 : 404;
    response.end();
  });
  let address: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kith-lock-'));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
    asked.length = 0;
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await new Promise((resolve) => registry.close(resolve));
    rmSync(folder, { recursive: true });
  });

  /** Gives the program npm's settings. Returns the addresses of packages in what it wrote; null when it wrote nothing. */
  async function addressesBy(settings: Record<string, string>): Promise<Record<string, unknown> | null> {
    const running = promisify(execFile)(process.execPath, [program], { cwd: folder });
    running.child.stdin?.end(JSON.stringify(settings));
    await running;
    if (!readdirSync(folder).includes('npm-shrinkwrap.json')) return null;
    const written = JSON.parse(readFileSync(join(folder, 'npm-shrinkwrap.json'), 'utf8')) as {
      packages: Record<string, { resolved?: string }>;
    };
    return Object.fromEntries(
      Object.entries(written.packages).map(([place, { resolved }]) => [place, resolved]),
    );
  }

  it('names each package at the registry of its scope', async () => {
    const settings = { registry: `${address}/ours/`, '@scope:registry': `${address}/ours/scoped` };
    expect(await addressesBy(settings)).toEqual({
      '': undefined,
      'node_modules/@kith/cli': 'apps/cli',
      'node_modules/left': `${address}/ours/left/-/left-1.2.3.tgz`,
      'node_modules/left/node_modules/@scope/right': `${address}/ours/scoped/@scope/right/-/right-4.5.6.tgz`,
      'node_modules/other': `${address}/ours/scoped/@scope/named/-/named-7.8.9.tgz`,
    });
    expect(asked).toEqual([
      'HEAD /ours/left/-/left-1.2.3.tgz',
      'HEAD /ours/scoped/@scope/right/-/right-4.5.6.tgz',
    ]);
  });

  it('leaves it to npm where a registry keeps its packages elsewhere', async () => {
    const settings = { registry: `${address}/ours`, '@scope:registry': `${address}/elsewhere` };
    expect(await addressesBy(settings)).toMatchObject({
      'node_modules/left': `${address}/ours/left/-/left-1.2.3.tgz`,
      'node_modules/other': undefined,
    });
    rmSync(join(folder, 'npm-shrinkwrap.json'));
    expect(await addressesBy({ registry: `${address}/elsewhere` })).toBeNull();
  });
});
