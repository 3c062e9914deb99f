import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { deletions } from './bot/deletions.js';
import { deliveries } from './bot/deliveries.js';
import { firstWords } from './bot/first-words.js';
import { hinderedPlaces } from './bot/hindered-places.js';
import { keyNotices } from './bot/key-notices.js';
import { messages } from './bot/messages.js';
import { closeBot, mend, openBot } from './bot/open-bot.js';
import { status } from './bot/status.js';

// All subjects share one running bot, since starting it is what costs time.
beforeAll(openBot);
afterAll(closeBot);
beforeEach(mend);

messages();
deliveries();
firstWords();
deletions();
hinderedPlaces();
keyNotices();
status();
