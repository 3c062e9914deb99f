import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { changedMessages } from './e2e/changed-messages.js';
import { degradedTurns } from './e2e/degraded-turns.js';
import { growingTalk } from './e2e/growing-talk.js';
import { newerMessages } from './e2e/newer-messages.js';
import { closeTurnTaker, model, openTurnTaker } from './e2e/open-turn-taker.js';
import { poison } from './e2e/poison.js';
import { usageOfTurns } from './e2e/usage-of-turns.js';

// All subjects share one start of the stores and the model, which costs more than most tests. They run in this order:
// once there was no model, it is not asked for a while.
beforeAll(openTurnTaker);
beforeEach(() => model.reset());
afterAll(closeTurnTaker);

poison();
newerMessages();
changedMessages();
usageOfTurns();
degradedTurns();
growingTalk();
