import { afterAll, beforeAll } from '@jest/globals';
import { heldOutreach } from './e2e/held-outreach.js';
import { closeOutbox, openOutbox } from './e2e/open-outbox.js';
import { orderOfReplies } from './e2e/order-of-replies.js';
import { results } from './e2e/results.js';
import { unsaidReplies } from './e2e/unsaid-replies.js';

// All subjects share one start of the stores, which costs more than their tests.
beforeAll(openOutbox);
afterAll(closeOutbox);

orderOfReplies();
results();
unsaidReplies();
heldOutreach();
