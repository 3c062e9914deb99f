import {
  AffectEventList,
  CompanionList,
  ConversationList,
  ErasureView,
  ForgetResult,
  UndoResult,
  MeView,
  MemoryList,
  MemorySearchResult,
  MemoryView,
  MoodResponse,
  MyKeyList,
  NeedList,
  OperatorActionList,
  OutreachSettings,
  OutreachView,
  PersonDescription,
  PersonHoldings,
  Privacy,
  Problem,
  SignedIn,
  SuiteHealth,
  Transcript,
  TurnView,
  type MemoryChange,
  type MemoryKind,
  type MemoryShelf,
  type OutreachChange,
} from '@kith/contracts';
import { z } from 'zod';

/** A request that got no useful answer. `status` is 0 when nothing answered at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

export interface ApiClient {
  me(): Promise<MeView>;
  companions(): Promise<z.infer<typeof CompanionList>>;
  conversations(cursor?: string): Promise<z.infer<typeof ConversationList>>;
  /** One page of a transcript, oldest first; `before` is the `nextCursor` of the page after it. */
  messages(conversationId: string, before?: string): Promise<z.infer<typeof Transcript>>;
  turn(turnId: string): Promise<TurnView>;
  mood(companionId: string, from: Date): Promise<z.infer<typeof MoodResponse>>;
  affectEvents(companionId: string, from: Date): Promise<z.infer<typeof AffectEventList>>;
  needs(companionId: string): Promise<z.infer<typeof NeedList>>;
  health(): Promise<SuiteHealth>;
  /** A page of what is kept, newest first. */
  memories(which: {
    companionId: string;
    kind: MemoryKind | null;
    shelf: MemoryShelf | null;
    cursor: string | undefined;
  }): Promise<z.infer<typeof MemoryList>>;
  /** What recall finds, best first, in the archive too. */
  searchMemories(which: {
    companionId: string;
    query: string;
    kind: MemoryKind | null;
  }): Promise<z.infer<typeof MemorySearchResult>>;
  /** What is known of the caller, as a page. */
  describeMe(companionId: string): Promise<PersonDescription>;
  changeMemory(id: string, change: MemoryChange): Promise<MemoryView>;
  forgetMemory(id: string): Promise<ForgetResult>;
  /** Takes a forget back, within ten minutes. */
  undoForget(receipt: string): Promise<z.infer<typeof UndoResult>>;
  privacy(): Promise<Privacy>;
  changePrivacy(isPrivate: boolean): Promise<Privacy>;
  outreach(): Promise<z.infer<typeof OutreachView>>;
  changeOutreach(change: z.input<typeof OutreachChange>): Promise<OutreachSettings>;
  /** The keys that act as the caller. */
  myKeys(): Promise<MyKeyList>;
  endMyKey(id: string): Promise<void>;
  /** A page of what operators did and looked at, the newest first. */
  audit(which: {
    action: string;
    person: string;
    cursor: string | undefined;
  }): Promise<z.infer<typeof OperatorActionList>>;
  /** How much is kept of the caller, everywhere. */
  myHoldings(): Promise<PersonHoldings>;
  /** Erases the caller, whose key is of no use then. */
  eraseMe(): Promise<ErasureView>;
  /** Ends the key, where it was made for this browser. */
  endSession(): Promise<void>;
}
type MeView = z.infer<typeof MeView>;

const PAGE_SIZE = 30;
// A console that waits longer shows nothing useful; the banner then says what is wrong.
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * The REST calls of the console, with the key of the person who signed in. Each answer is checked against
 * its contract. Throws `ApiError`, whose message is fit to show.
 */
export function createApiClient(key: string): ApiClient {
  const send = sender(key);
  const get = <Schema extends z.ZodType>(path: string, schema: Schema) =>
    send('GET', path, undefined, schema);

  return {
    me: () => get('/me', MeView),
    companions: () => get('/companions', CompanionList),
    conversations: (cursor) => get(`/conversations${query({ cursor })}`, ConversationList),
    messages: (conversationId, before) =>
      get(
        `/conversations/${conversationId}/messages${query({ before, limit: String(PAGE_SIZE) })}`,
        Transcript,
      ),
    turn: (turnId) => get(`/turns/${turnId}`, TurnView),
    mood: (companionId, from) =>
      get(
        `/companions/${encodeURIComponent(companionId)}/mood${query({ from: from.toISOString() })}`,
        MoodResponse,
      ),
    affectEvents: (companionId, from) =>
      get(
        `/companions/${encodeURIComponent(companionId)}/affect-events${query({ from: from.toISOString(), limit: '200' })}`,
        AffectEventList,
      ),
    needs: (companionId) => get(`/companions/${encodeURIComponent(companionId)}/needs`, NeedList),
    health: () => get('/health', SuiteHealth),
    memories: ({ companionId: companion, kind, shelf, cursor }) =>
      get(
        `/memories${query({ companion, kind: kind ?? undefined, shelf: shelf ?? undefined, cursor, limit: '50' })}`,
        MemoryList,
      ),
    searchMemories: ({ companionId: companion, query: q, kind }) =>
      get(
        `/memories/search${query({ companion, q, kind: kind ?? undefined, archive: 'true', limit: '30' })}`,
        MemorySearchResult,
      ),
    describeMe: (companion) => get(`/memories/description${query({ companion })}`, PersonDescription),
    changeMemory: (id, change) => send('PATCH', `/memories/${id}`, change, MemoryView),
    forgetMemory: (id) => send('POST', '/memories/forget', { ids: [id] }, ForgetResult),
    undoForget: (receipt) => send('POST', '/memories/forget/undo', { receipt }, UndoResult),
    privacy: () => get('/memories/privacy', Privacy),
    changePrivacy: (isPrivate) => send('PUT', '/memories/privacy', { private: isPrivate }, Privacy),
    outreach: () => get('/me/outreach', OutreachView),
    changeOutreach: (change) => send('PATCH', '/me/outreach', change, OutreachSettings),
    myKeys: () => get('/me/keys', MyKeyList),
    endMyKey: (id) => send('DELETE', `/me/keys/${id}`, undefined, z.undefined()),
    audit: ({ action, person, cursor }) =>
      get(
        `/audit${query({ action: action || undefined, person: person || undefined, cursor, limit: '50' })}`,
        OperatorActionList,
      ),
    myHoldings: () => get('/me/holdings', PersonHoldings),
    endSession: () => send('DELETE', '/session', undefined, z.undefined()),
    eraseMe: async () => {
      const { personId } = await get('/me', MeView);
      return send('DELETE', `/me${query({ confirm: personId })}`, undefined, ErasureView);
    },
  };
}

/** Exchanges a sign-in link's code for a key of this browser's own. Throws `ApiError`. */
export function redeemSignInCode(code: string): Promise<SignedIn> {
  return sender(null)('POST', '/sign-in', { code }, SignedIn);
}

/** Sends requests with this key, or with none. */
function sender(key: string | null) {
  return async <Schema extends z.ZodType>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    content: unknown,
    schema: Schema,
  ): Promise<z.output<Schema>> => {
    const response = await fetch(`/v1${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        accept: 'application/json',
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw new ApiError(0, 'Nothing answers at this address.', { cause });
    });
    const body: unknown = await response.json().catch(() => undefined);
    if (!response.ok) {
      const problem = Problem.safeParse(body);
      throw new ApiError(
        response.status,
        problem.success ? problem.data.detail : `The gateway answered with status ${response.status}.`,
      );
    }
    const parsed = schema.safeParse(body);
    if (!parsed.success) {
      throw new ApiError(
        response.status,
        'The gateway speaks another version than this page: reload the page.',
        { cause: parsed.error },
      );
    }
    return parsed.data;
  };
}

function query(parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
