export { DegradedStates, type Part } from './degraded-states.js';
export { controllerOf, handleContract } from './handle-contract.js';
export { FOLLOWED_MODELS, FollowedModels } from './followed-models.js';
export { HealthChecks } from './health-checks.js';
export { LOGGER } from './logging.js';
export { runService, runTogether, type PlacedService, type ServiceDefinition } from './run-service.js';
export {
  provide,
  provideClass,
  serviceModule,
  type Keys,
  type MadeFrom,
  type Token,
  value,
} from './provide.js';
export { step, type Step } from './step.js';
export { METRICS } from './service-host.module.js';
export { UsageBook, type CountedCall } from './usage-book.js';
