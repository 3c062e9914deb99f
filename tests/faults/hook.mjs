// Preloaded into each process of services that the fault harness starts (node --import). Ends the process at a step that the
// harness named by a file in KITH_FAULT_DIRECTORY, and moves its clock.
import { readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { subscribe } from 'node:diagnostics_channel';

const directory = process.env.KITH_FAULT_DIRECTORY ?? '';
const [, , , ...services] = process.argv;
/** As its supervisor calls it. */
const name = services.length > 1 ? 'kith' : services[0];

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
