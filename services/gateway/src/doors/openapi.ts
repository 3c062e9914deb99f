import {
  AffectEventList,
  CoreBlock,
  CoreMemory,
  CoreRequest,
  DocumentList,
  DocumentRemoved,
  DocumentRequest,
  DocumentView,
  ChatEvent,
  ChatRequest,
  CompanionList,
  CompanionView,
  ConversationList,
  Delivery,
  Diary,
  DeliveryList,
  DropRequest,
  ForgetRequest,
  ForgetResult,
  ImportRequest,
  ImportResult,
  IndexState,
  KeyCreated,
  KeyList,
  KeyRequest,
  LoreEntry,
  LoreImport,
  LoreImportRequest,
  LoreInput,
  LoreList,
  LoreMatch,
  LoreMatchRequest,
  LoreRemoved,
  MeView,
  MemoryChange,
  MemoryList,
  MemorySearchResult,
  MemoryView,
  Privacy,
  PrivacyRequest,
  MoodResponse,
  NeedList,
  OutreachChange,
  OutreachSettings,
  OutreachView,
  PersonaHistory,
  PersonaJson,
  PersonaVersion,
  PersonDescription,
  PersonList,
  Problem,
  QuirkList,
  RelationshipView,
  Replay,
  ReplayRequest,
  RollbackRequest,
  StopRequest,
  StopResult,
  SuiteHealth,
  TracedTurn,
  Transcript,
  TurnList,
  TurnView,
} from '@kith/contracts';
import { z } from 'zod';

interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  summary: string;
  tag: string;
  body?: z.ZodType;
  /** JSON of this schema, or a picture; nothing where it is left out. */
  answer?: z.ZodType | 'image/png';
  query?: Record<string, string>;
}

const PAGE = { limit: 'rows of a page', cursor: '`nextCursor` of the page before' };

/** Every route of the public API; a test holds it against what the application serves. */
export const ROUTES: readonly Route[] = [
  {
    method: 'post',
    path: '/v1/chat',
    tag: 'chat',
    summary: 'Say something; the reply as JSON, or as server-sent events with `stream: true`',
    body: ChatRequest,
    answer: TurnView,
  },
  {
    method: 'post',
    path: '/v1/chat/stop',
    tag: 'chat',
    summary: 'Never mind: what you said in this thread and is not answered yet ends without an answer',
    body: StopRequest,
    answer: StopResult,
  },
  {
    method: 'get',
    path: '/v1/conversations',
    tag: 'chat',
    summary: 'Your direct conversations, the latest first',
    answer: ConversationList,
    query: PAGE,
  },
  {
    method: 'get',
    path: '/v1/conversations/{id}/messages',
    tag: 'chat',
    summary: 'A conversation’s messages, oldest first',
    answer: Transcript,
    query: { limit: 'messages of a page', before: '`nextCursor` of the page before' },
  },
  {
    method: 'get',
    path: '/v1/turns',
    tag: 'turns',
    summary: 'The latest turns, and the messages that still wait for theirs; of everybody with an admin key',
    answer: TurnList,
    query: {
      outcome: 'answered, apologised, silent or dropped',
      message: 'the door’s id of a message',
      person: 'whose, for an admin key',
      limit: 'rows',
    },
  },
  {
    method: 'get',
    path: '/v1/turns/{id}',
    tag: 'turns',
    summary: 'A turn and all that happened on its way; someone else’s without what was said',
    answer: TracedTurn,
  },
  {
    method: 'get',
    path: '/v1/outbox',
    tag: 'turns',
    summary: 'Replies that are not delivered, or those of a status',
    answer: DeliveryList,
    query: { ...PAGE, status: 'pending, delivered, failed or dropped' },
  },
  {
    method: 'post',
    path: '/v1/outbox/{id}/retry',
    tag: 'turns',
    summary: 'Send a reply again that did not arrive',
    answer: Delivery,
  },
  {
    method: 'post',
    path: '/v1/outbox/{id}/drop',
    tag: 'turns',
    summary: 'Give a reply up, with the reason',
    body: DropRequest,
    answer: Delivery,
  },
  {
    method: 'get',
    path: '/v1/memories',
    tag: 'memories',
    summary: 'What is remembered of you, newest first',
    answer: MemoryList,
    query: {
      ...PAGE,
      companion: 'one companion’s alone',
      kind: 'one kind alone',
      shelf: 'open, quarantine or archive',
    },
  },
  {
    method: 'get',
    path: '/v1/memories/search',
    tag: 'memories',
    summary: 'Recall, with each score’s parts',
    answer: MemorySearchResult,
    query: {
      q: 'what to look for',
      limit: 'at most this many',
      companion: 'whose memories',
      kind: 'one kind alone',
      archive: 'true: what was archived, too',
    },
  },
  {
    method: 'patch',
    path: '/v1/memories/{id}',
    tag: 'memories',
    summary: 'Correct a memory, pin it, or have it kept in spite of a quarantine',
    body: MemoryChange,
    answer: MemoryView,
  },
  {
    method: 'get',
    path: '/v1/documents',
    tag: 'memories',
    summary: 'Texts you gave a companion to know',
    answer: DocumentList,
  },
  {
    method: 'post',
    path: '/v1/documents',
    tag: 'memories',
    summary: 'Give a companion a text to know: Markdown, plain text, HTML, or a PDF as base64',
    body: DocumentRequest,
    answer: DocumentView,
  },
  {
    method: 'delete',
    path: '/v1/documents/{id}',
    tag: 'memories',
    summary: 'Remove a text with all that was kept of it',
    answer: DocumentRemoved,
  },
  {
    method: 'get',
    path: '/v1/companions/{id}/lore',
    tag: 'companions',
    summary: 'What a companion knows of its world, in the order in which it is told',
    answer: LoreList,
  },
  {
    method: 'put',
    path: '/v1/companions/{id}/lore',
    tag: 'companions',
    summary: 'Keep an entry of lore, new or in the place of its namesake',
    body: LoreInput,
    answer: LoreEntry,
  },
  {
    method: 'post',
    path: '/v1/companions/{id}/lore/import',
    tag: 'companions',
    summary: 'Keep a lorebook: a list of entries, a Tavern card, or SillyTavern’s world info',
    body: LoreImportRequest,
    answer: LoreImport,
  },
  {
    method: 'post',
    path: '/v1/companions/{id}/lore/match',
    tag: 'companions',
    summary: 'What a text would call up, and by which key',
    body: LoreMatchRequest,
    answer: LoreMatch,
  },
  {
    method: 'delete',
    path: '/v1/companions/{id}/lore/{entry}',
    tag: 'companions',
    summary: 'Remove an entry of lore',
    answer: LoreRemoved,
  },
  {
    method: 'get',
    path: '/v1/memories/core',
    tag: 'memories',
    summary: 'Core memory: what every prompt carries of you, alone with the companion',
    answer: CoreMemory,
    query: { companion: 'whose' },
  },
  {
    method: 'put',
    path: '/v1/memories/core/{label}',
    tag: 'memories',
    summary: 'Write the block human or persona yourself; empty clears it',
    body: CoreRequest,
    answer: CoreBlock,
  },
  {
    method: 'put',
    path: '/v1/memories/core/operator/{person}',
    tag: 'admin',
    summary: 'The operator’s own block about a person',
    body: CoreRequest,
    answer: CoreBlock,
  },
  {
    method: 'get',
    path: '/v1/memories/privacy',
    tag: 'memories',
    summary: 'Is what you say remembered?',
    answer: Privacy,
  },
  {
    method: 'put',
    path: '/v1/memories/privacy',
    tag: 'memories',
    summary: 'From now on nothing you say is remembered, or it is again',
    body: PrivacyRequest,
    answer: Privacy,
  },
  {
    method: 'post',
    path: '/v1/memories/import',
    tag: 'memories',
    summary: 'Keep what was said elsewhere, each line once; needs a key with the scope import',
    body: ImportRequest,
    answer: ImportResult,
  },
  {
    method: 'post',
    path: '/v1/memories/forget',
    tag: 'memories',
    summary:
      'Forget some, what came from a message, a time or a search, or all; with preview, only see what would go',
    body: ForgetRequest,
    answer: ForgetResult,
  },
  {
    method: 'get',
    path: '/v1/memories/index',
    tag: 'admin',
    summary: 'How the vector index stands to the memories, and how far a reindex is',
    answer: IndexState,
  },
  {
    method: 'get',
    path: '/v1/memories/description',
    tag: 'memories',
    summary: 'What is known of you, as a page',
    answer: PersonDescription,
    query: { companion: 'what this companion knows; the default one otherwise' },
  },
  {
    method: 'post',
    path: '/v1/memories/init',
    tag: 'memories',
    summary: 'Make the vector index ready for the embedding space in use',
    answer: IndexState,
  },
  {
    method: 'post',
    path: '/v1/memories/reindex',
    tag: 'admin',
    summary: 'Make the vector index equal to the memories, while both are used',
    answer: IndexState,
  },
  {
    method: 'get',
    path: '/v1/companions',
    tag: 'companions',
    summary: 'Who there is to talk with',
    answer: CompanionList,
  },
  {
    method: 'get',
    path: '/v1/companions/{id}',
    tag: 'companions',
    summary: 'One companion',
    answer: CompanionView,
  },
  {
    method: 'get',
    path: '/v1/companions/{id}/mood',
    tag: 'companions',
    summary: 'Its mood now, towards you, and its course',
    answer: MoodResponse,
    query: { from: 'ISO time', to: 'ISO time' },
  },
  {
    method: 'get',
    path: '/v1/companions/{id}/mood.png',
    tag: 'companions',
    summary: 'The same as a picture: its course, what moved it most, its traits, and what is between you',
    answer: 'image/png',
    query: { from: 'ISO time', to: 'ISO time' },
  },
  {
    method: 'get',
    path: '/v1/companions/{id}/affect-events',
    tag: 'companions',
    summary:
      'Why its mood moved: what was felt at your turns, and what that changed; with an admin key, at all',
    answer: AffectEventList,
    query: { ...PAGE, from: 'ISO time', to: 'ISO time' },
  },
  {
    method: 'get',
    path: '/v1/companions/{id}/relationships/{person}',
    tag: 'companions',
    summary: 'What there is between it and you (`me`); with an admin key, anybody',
    answer: RelationshipView,
  },
  {
    method: 'get',
    path: '/v1/companions/{id}/needs',
    tag: 'companions',
    summary: 'What it needs now, the most urgent first',
    answer: NeedList,
  },
  {
    method: 'get',
    path: '/v1/companions/{id}/quirks',
    tag: 'companions',
    summary: 'Its habits, the strongest first, with those of your turns that are behind them',
    answer: QuirkList,
  },
  {
    method: 'get',
    path: '/v1/companions/{id}/diary',
    tag: 'companions',
    summary: 'Its diary, the latest day first; nobody’s words are in it',
    answer: Diary,
    query: { before: 'days before this one', limit: 'days of a page' },
  },
  {
    method: 'get',
    path: '/v1/companions/{id}/persona',
    tag: 'admin',
    summary: 'Its persona as a file would hold it: the version in force, or an earlier one',
    answer: PersonaVersion,
    query: { version: 'an earlier one' },
  },
  {
    method: 'put',
    path: '/v1/companions/{id}/persona',
    tag: 'admin',
    summary: 'Put a persona in force, as a new version, until its file changes',
    body: PersonaJson,
    answer: CompanionView,
  },
  {
    method: 'get',
    path: '/v1/companions/{id}/persona/versions',
    tag: 'admin',
    summary: 'Which versions of its persona there were, the latest first',
    answer: PersonaHistory,
  },
  {
    method: 'post',
    path: '/v1/companions/{id}/persona/rollback',
    tag: 'admin',
    summary: 'Put an earlier version in force again, as a new one',
    body: RollbackRequest,
    answer: CompanionView,
  },
  {
    method: 'post',
    path: '/v1/companions/{id}/replay',
    tag: 'admin',
    summary: 'Feel past days again: as they were, to prove the log, or with a changed persona',
    body: ReplayRequest,
    answer: Replay,
  },
  { method: 'get', path: '/v1/me', tag: 'people', summary: 'Who you are here', answer: MeView },
  {
    method: 'get',
    path: '/v1/me/outreach',
    tag: 'people',
    summary: 'What companions may start with you',
    answer: OutreachView,
  },
  {
    method: 'patch',
    path: '/v1/me/outreach',
    tag: 'people',
    summary: 'Opt in or out, set zone, quiet hours and cap',
    body: OutreachChange,
    answer: OutreachSettings,
  },
  {
    method: 'get',
    path: '/v1/people',
    tag: 'admin',
    summary: 'Everyone who is known here',
    answer: PersonList,
    query: PAGE,
  },
  {
    method: 'post',
    path: '/v1/keys',
    tag: 'admin',
    summary: 'Make an API key; it is shown this once',
    body: KeyRequest,
    answer: KeyCreated,
  },
  {
    method: 'get',
    path: '/v1/keys',
    tag: 'admin',
    summary: 'Every API key, without the key itself',
    answer: KeyList,
    query: { ...PAGE, person: 'whose' },
  },
  { method: 'delete', path: '/v1/keys/{id}', tag: 'admin', summary: 'End an API key' },
  {
    method: 'get',
    path: '/v1/health',
    tag: 'admin',
    summary: 'How the suite is; the whole of it with any key',
    answer: SuiteHealth,
  },
];

/** The OpenAPI document, made from the very schemas that requests are parsed by. */
export function apiDocument(): Record<string, unknown> {
  const problem = {
    description: 'Problem details (RFC 9457)',
    content: { 'application/problem+json': { schema: schemaOf(Problem, 'output') } },
  };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of ROUTES) {
    const ok = route.answer
      ? { description: 'OK', content: contentOf(route.answer) }
      : { description: 'Done' };
    (paths[route.path] ??= {})[route.method] = {
      summary: route.summary,
      tags: [route.tag],
      parameters: [
        ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
          name,
          in: 'path',
          required: true,
          schema: { type: 'string' },
        })),
        ...Object.entries(route.query ?? {}).map(([name, description]) => ({
          name,
          in: 'query',
          required: name === 'q',
          description,
          schema: { type: 'string' },
        })),
      ],
      ...(route.body
        ? {
            requestBody: {
              required: true,
              content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
            },
          }
        : {}),
      responses: { [route.answer ? '200' : '204']: ok, default: problem },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kith',
      version: '1',
      description:
        'The API of a Kith suite. Keys are made with `kith keys create`. A WebSocket waits at `/v1/ws`: send `hello` with the key, then `message` frames.',
    },
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'an API key, kth_…' } },
      schemas: { ChatEvent: schemaOf(ChatEvent, 'output'), CompanionView: schemaOf(CompanionView, 'output') },
    },
    security: [{ key: [] }],
  };
}

function contentOf(answer: NonNullable<Route['answer']>): Record<string, unknown> {
  return answer === 'image/png'
    ? { 'image/png': { schema: { type: 'string', format: 'binary' } } }
    : { 'application/json': { schema: schemaOf(answer, 'output') } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
