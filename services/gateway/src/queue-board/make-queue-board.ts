import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { JOB_CONTRACTS } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { RequestHandler } from 'express';
import { hideWords } from './hide-words.js';
import { problemOf, toAppError } from '../entrance/problem-details.js';

/** Makes a read-only Bull Board over every service's queues, at this path. Large, so loaded on first use only. */
export function makeQueueBoard(messenger: Pick<Messenger, 'jobs'>, path: string): RequestHandler {
  const server = new ExpressAdapter().setBasePath(path);
  const queues = () =>
    JOB_CONTRACTS.map((contract) => {
      const adapter = new BullMQAdapter(messenger.jobs.queueOf(contract), { readOnlyMode: true });
      adapter.setFormatter('data', (data) => hideWords(data) as object);
      adapter.setFormatter('returnValue', (value) => hideWords(value) as object);
      return adapter;
    });
  const board = createBullBoard({
    queues: queues(),
    serverAdapter: server,
    options: { uiConfig: { boardTitle: 'Kith', hideRedisDetails: true } },
  });
  // Bull Board's own handler would answer with the stack.
  server.setErrorHandler((error) => {
    const problem = problemOf(toAppError(error));
    return { status: problem.status as 500, body: problem };
  });
  const show = server.getRouter() as RequestHandler;
  return (request, response, next) => {
    // A queue whose first contact with Redis failed is made anew.
    board.replaceQueues(queues());
    show(request, response, next);
  };
}
