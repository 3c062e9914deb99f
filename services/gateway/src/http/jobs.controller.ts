import { jobRoutes, jobsContract } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { Controller } from '@nestjs/common';
import { Serves, type RouteCall } from './serves.js';

/** Serves operators the recurring jobs. */
@Controller()
export class JobsController {
  constructor(private readonly messenger: Messenger) {}

  @Serves(jobRoutes.list)
  onList() {
    return this.messenger.ask(jobsContract.list, {});
  }

  @Serves(jobRoutes.steer)
  onSteer({ params }: RouteCall<typeof jobRoutes.steer>) {
    return this.messenger.ask(jobsContract.steer, params);
  }
}
