import { beforeEach } from '@jest/globals';
import { grants } from './e2e/grants.js';
import { newTool } from './e2e/open-tools.js';
import { ownTools } from './e2e/own-tools.js';
import { questions } from './e2e/questions.js';
import { repeatedCalls } from './e2e/repeated-calls.js';
import { toldWords } from './e2e/told-words.js';

// All subjects share one start of the stores, which costs more than their tests.
beforeEach(newTool);

questions();
grants();
repeatedCalls();
toldWords();
ownTools();
