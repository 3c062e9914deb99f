import { onEachIndex } from '../e2e/on-each-index.js';
import { chooseRemoved } from './e2e/choose-removed.js';
import { erasePerson } from './e2e/erase-person.js';
import { findToForget } from './e2e/find-to-forget.js';
import { forgetPlace } from './e2e/forget-place.js';
import { forgetter } from './e2e/forgetter.js';
import { keepForgotten } from './e2e/keep-forgotten.js';
import { lateOrders } from './e2e/late-orders.js';
import { withOrders } from './e2e/orders.js';
import { reviseMessage } from './e2e/revise-message.js';
import { undoForget } from './e2e/undo-forget.js';

// All subjects share one running service on each index, since starting it is what costs time.
onEachIndex('forgetting', (memory) => {
  const orders = withOrders(memory);
  forgetter(orders);
  chooseRemoved(orders);
  lateOrders(orders);
  reviseMessage(orders);
  undoForget(orders);
  keepForgotten(orders);
  findToForget(orders);
  forgetPlace(orders);
  erasePerson(orders);
});
