import { auditRoutes } from './audit.routes.js';
import { jobRoutes } from './jobs.routes.js';
import { modelRoutes } from './models.routes.js';
import { chatRoutes } from './chat.routes.js';
import { companionRoutes } from './companions.routes.js';
import { loreRoutes } from './lore.routes.js';
import { conversationRoutes } from './conversations.routes.js';
import { documentRoutes } from './documents.routes.js';
import { healthRoutes } from './health.routes.js';
import { keyRoutes } from './keys.routes.js';
import { signInRoutes } from './sign-in.routes.js';
import { memoryRoutes } from './memories.routes.js';
import { taskRoutes } from './tasks.routes.js';
import { outreachRoutes } from './outreach.routes.js';
import { meRoutes, peopleRoutes } from './people.routes.js';
import { personaRoutes } from './personas.routes.js';
import type { Route, Routes } from './route.js';
import { toolRoutes } from './tools.routes.js';
import { outboxRoutes, turnRoutes } from './turns.routes.js';

/** Routes of the public API by subject. */
export const ROUTE_GROUPS: Readonly<Record<string, Routes>> = {
  chat: chatRoutes,
  conversations: conversationRoutes,
  turns: turnRoutes,
  outbox: outboxRoutes,
  memories: memoryRoutes,
  tasks: taskRoutes,
  documents: documentRoutes,
  companions: companionRoutes,
  lore: loreRoutes,
  personas: personaRoutes,
  me: meRoutes,
  'sign-in': signInRoutes,
  keys: keyRoutes,
  people: peopleRoutes,
  outreach: outreachRoutes,
  tools: toolRoutes,
  models: modelRoutes,
  jobs: jobRoutes,
  audit: auditRoutes,
  health: healthRoutes,
};

/** Every route of the public API: what the gateway serves under `/v1`, and nothing else. */
export const ALL_ROUTES: readonly Route[] = Object.values(ROUTE_GROUPS).flatMap((group) =>
  Object.values(group),
);
