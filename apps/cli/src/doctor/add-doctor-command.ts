import { addJsonCommand } from '../input/add-command.js';
import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../suite/command-context.js';
import { checkSettings } from './check-settings.js';
import { checkSuite } from './check-suite.js';
import { showFindings } from './finding.js';
import { checkDiscord, checkDisk, checkEnvFile, checkNode, type NodeHere } from './machine-checks.js';
import { checkMigrations, checkPostgres, checkQdrant, checkRedis } from './store-checks.js';

/** Adds the command that checks everything Kith needs; `fail` is called where something is broken. */
export function addDoctorCommand(
  program: Command,
  context: CommandContext,
  { node, fail }: { node: NodeHere; fail: () => void },
): void {
  const { terminal } = context;
  addJsonCommand(program, 'doctor', 'check every dependency and setting, and say how to fix each')
    .option('--short', 'only what is off or broken')
    .action(async ({ json, short }) => {
      const { config } = context;
      terminal.startWaiting('looking at everything');
      const [disk, suite, ...stores] = await Promise.all([
        checkDisk(config),
        checkSuite(config, terminal),
        checkRedis(config),
        checkPostgres(config),
        checkMigrations(config),
        checkQdrant(config),
      ]).finally(() => terminal.stopWaiting());
      const machine = [checkNode(node), checkEnvFile(config), ...checkSettings(config), disk];
      const findings = [...machine, ...stores, ...suite, checkDiscord(config)];
      const broken = findings.filter(({ state }) => state === 'broken').length;
      if (broken > 0) fail();
      const shown = short ? findings.filter(({ state }) => state !== 'ok') : findings;
      if (json) return terminal.json(shown);
      showFindings(terminal, shown);
      terminal.line();
      terminal.line(broken === 0 ? terminal.green('all well') : terminal.red(`${broken} to mend`));
    });
}
