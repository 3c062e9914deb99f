import { withTalk } from '../e2e/talk.js';
import { leftReplies } from './e2e/left-replies.js';
import { placeDeleter } from './e2e/place-deleter.js';
import { placeOrders } from './e2e/place-orders.js';
import { retention } from './e2e/retention.js';
import { withUpkeep } from './e2e/upkeep.js';

// All subjects share one start of the stores, which costs more than their tests.
const upkeep = withUpkeep(withTalk());

retention(upkeep);
placeDeleter(upkeep);
leftReplies(upkeep);
placeOrders(upkeep);
