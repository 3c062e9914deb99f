import type { Problem } from '@kith/contracts';
import type { NextFunction, Request, Response } from 'express';

const STOPPING: Problem = {
  type: 'urn:kith:problem:unavailable',
  title: 'The service is stopping',
  status: 503,
  detail: 'it finishes what it has begun, and takes nothing new; try again in a moment',
  code: 'unavailable',
};

/** Refuses what comes over HTTP while a service closes, but for its probes: its work has to come to an end. */
export function refuseWhileClosing(isClosing: () => boolean) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!isClosing() || /^\/(health\/|metrics$)/.test(request.path)) return next();
    response.setHeader('Connection', 'close');
    response.status(STOPPING.status).type('application/problem+json').json(STOPPING);
  };
}
