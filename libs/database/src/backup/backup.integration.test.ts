import { afterAll, beforeAll } from '@jest/globals';
import { forgottenSince } from './e2e/forgotten-since.js';
import { closePostgres, openPostgres } from './e2e/open-postgres.js';
import { outreachSince } from './e2e/outreach-since.js';
import { peopleSince } from './e2e/people-since.js';
import { placesSince } from './e2e/places-since.js';
import { rulesSince } from './e2e/rules-since.js';
import { wholeBackup } from './e2e/whole-backup.js';

// All subjects share one Postgres with its migrated database, since these are what costs time.
beforeAll(openPostgres);
afterAll(closePostgres);

wholeBackup();
peopleSince();
placesSince();
outreachSince();
rulesSince();
forgottenSince();
