import { afterAll, beforeAll, describe } from '@jest/globals';
import { attempts } from './e2e/attempts.js';
import { nights } from './e2e/nights.js';
import { closeScheduler, openScheduler } from './e2e/open-scheduler.js';
import { outreach } from './e2e/outreach.js';
import { ownReasons } from './e2e/own-reasons.js';
import { recurringJobs } from './e2e/recurring-jobs.js';
import { taskReminders } from './e2e/task-reminders.js';
import { thoughts } from './e2e/thoughts.js';
import { zones } from './e2e/zones.js';

// All subjects share one scheduler among doubles of the other services. They run in this order: orders of the night are
// counted before others come to them.
beforeAll(openScheduler, 60_000);
afterAll(closeScheduler);

describe('the scheduler among the other services', () => {
  outreach();
  zones();
  nights();
  thoughts();
  taskReminders();
  attempts();
});
ownReasons();
recurringJobs();
