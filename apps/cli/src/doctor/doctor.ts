import type { CommandContext } from '../suite/command-context.js';
import { checkDisk, checkEnvFile, checkNode, checkDiscord, type NodeHere } from './machine-checks.js';
import { checkMigrations, checkPostgres, checkQdrant, checkRedis } from './store-checks.js';
import { checkSuite } from './check-suite.js';
import { checkSettings } from './check-settings.js';
import { showFindings } from './finding.js';

/** Checks every dependency and setting, says how to fix each; true when nothing is broken. */
export async function doctor(
  { config, terminal }: CommandContext,
  options: { node: NodeHere; json?: boolean; short?: boolean },
): Promise<boolean> {
  terminal.startWaiting('looking at everything');
  const [disk, suite, ...stores] = await Promise.all([
    checkDisk(config),
    checkSuite(config, terminal),
    checkRedis(config),
    checkPostgres(config),
    checkMigrations(config),
    checkQdrant(config),
  ]).finally(() => terminal.stopWaiting());
  const findings = [
    checkNode(options.node),
    checkEnvFile(config),
    ...checkSettings(config),
    disk,
    ...stores,
    ...suite,
    checkDiscord(config),
  ];
  const broken = findings.filter(({ state }) => state === 'broken').length;
  if (options.json) {
    terminal.json(findings);
  } else {
    showFindings(terminal, options.short ? findings.filter(({ state }) => state !== 'ok') : findings);
    terminal.line();
    terminal.line(broken === 0 ? terminal.green('all well') : terminal.red(`${broken} to mend`));
  }
  return broken === 0;
}
