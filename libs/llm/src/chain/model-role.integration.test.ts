import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { resetHosts, startHosts, stopHosts } from './e2e/chain-of-two.js';
import { completeJsonOfModels } from './e2e/complete-json.js';
import { probeModels } from './e2e/probe-models.js';
import { refusedParts } from './e2e/refused-parts.js';
import { streamedAnswers } from './e2e/streamed-answers.js';
import { tries } from './e2e/tries.js';

// All subjects share two hosts of models. As one suite, what waits for real time is begun beside what works.
beforeAll(startHosts);
afterEach(resetHosts);
afterAll(stopHosts);

tries();
streamedAnswers();
probeModels();
refusedParts();
completeJsonOfModels();
