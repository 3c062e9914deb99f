import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHROMIUM } from './chromium.js';
import { coreMemory } from './console/core-memory.js';
import { memories } from './console/memories.js';
import { closeConsole, openConsole, problems } from './console/open-console.js';
import { operators } from './console/operators.js';
import { outages } from './console/outages.js';
import { outreach } from './console/outreach.js';
import { pages } from './console/pages.js';
import { signingIn } from './console/signing-in.js';
import { signingOut } from './console/signing-out.js';
import { talk } from './console/talk.js';
import { tasksAndTools } from './console/tasks-and-tools.js';

const inBrowser = CHROMIUM ? describe : describe.skip;
if (!CHROMIUM) console.warn('no Chromium on this machine: the console is not tried in a browser');

// All subjects share one suite and one signed-in page, since starting these is what costs time. They run in this order:
// later ones look for what was said in `talk`.
inBrowser('the console, in a real browser', () => {
  beforeAll(openConsole, 180_000);
  afterAll(closeConsole);

  describe('signing in', signingIn);
  describe('talk', talk);
  describe('pages', pages);
  describe('operators', operators);
  describe('memories', memories);
  describe('core memory', coreMemory);
  describe('outreach', outreach);
  describe('tasks and tools', tasksAndTools);
  describe('outages', outages);
  describe('signing out', signingOut);

  it('raises no script error on the way', () => expect(problems).toEqual([]));
});
