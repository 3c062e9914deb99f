import { runService } from '@kith/service-host';
import { service } from './service.js';

await runService(service);
