// Preloaded into each process of services that the fault harness starts (node --import). Ends the process at a step that the
// harness named by a file in KITH_FAULT_DIRECTORY, and moves its clock.
import { readFileSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setInterval } from 'node:timers';
import { subscribe } from 'node:diagnostics_channel';

const directory = process.env.KITH_FAULT_DIRECTORY ?? '';
const entry = process.argv[1] ?? '';
const isOfAll = basename(entry) === 'together.js';
/** As its supervisor calls it. */
const name = isOfAll ? 'kith' : basename(dirname(dirname(entry)));

subscribe('kith:step', (step) => {
  try {
    // Whoever removes the file is the one that dies: it happens once.
    unlinkSync(join(directory, `${name}.${step}`));
  } catch {
    return;
  }
  process.kill(process.pid, 'SIGKILL');
});

const RealDate = Date;
let offsetMs = 0;
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + offsetMs);
    else super(...parts);
  }
  static now() {
    return RealDate.now() + offsetMs;
  }
};
setInterval(() => {
  try {
    offsetMs = Number(readFileSync(join(directory, `${name}.clock`), 'utf8'));
  } catch {
    offsetMs = 0;
  }
}, 250).unref();
