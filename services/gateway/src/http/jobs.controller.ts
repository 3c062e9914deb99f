import { jobRoutes, jobsContract } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { serveRoutes } from './serve-routes.js';

/** Serves operators the recurring jobs. */
export const JobsController = serveRoutes(jobRoutes, [Messenger], (messenger) => ({
  list: () => messenger.ask(jobsContract.list, {}),
  steer: ({ params }) => messenger.ask(jobsContract.steer, params),
}));
