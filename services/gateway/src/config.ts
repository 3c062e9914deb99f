import { isWellFormedApiKey } from '@kith/contracts';
import {
  baseSettings,
  databaseSettings,
  days,
  defaultCompanionSetting,
  httpAddress,
  milliseconds,
  modelSettings,
} from '@kith/service-host/common-settings';
import { defineSettings, setting, type SettingsOf } from '@kith/service-host/settings';
import { z } from 'zod';
import { parseSearchHost } from './tools/web/search-hosts.js';

const tokenLimit = z.coerce.number().int().nonnegative().default(0);

/** Values with commas or spaces between them. */
const list = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text) => text.split(/[\s,]+/).filter(Boolean));

const hosts = (fallback: string, shape: RegExp, what: string) =>
  list(fallback)
    .transform((names) => names.map((name) => name.toLowerCase()))
    .pipe(z.array(z.string().regex(shape, what)));

export const settings = defineSettings({
  ...baseSettings('GATEWAY_PORT', 3000),
  database: databaseSettings(),
  models: modelSettings(),
  thoughtsKey: setting('THOUGHTS_KEY', z.string().default('')).is(
    'key that thoughts, and what tools told, are encrypted with, and erased accounts are known by; made by scripts/up. Empty: neither of the first two is kept',
  ),
  companion: { default: defaultCompanionSetting() },
  api: {
    bootstrapKey: setting(
      'KITH_KEY',
      z
        .string()
        .refine(
          isWellFormedApiKey,
          'is cut or mistyped; empty its line in .env and start again, which makes a new one',
        )
        .optional(),
    ).is("the operator's own API key, with every scope; made by scripts/up"),
    ownerName: setting('KITH_OWNER', z.string().default('Owner')).is(
      "the operator's name, as companions say it",
    ),
    requestsPerMinute: setting('RATE_LIMIT_PER_MINUTE', z.coerce.number().int().positive().default(120)).is(
      'requests a minute that one API key may make',
    ),
    proxy: setting('TRUSTED_PROXY', z.string().max(253).default('')).is(
      'name or address of the reverse proxy that says who calls; empty: none does, whoever connects is the caller',
    ),
    linkHosts: setting(
      'LINK_HOSTS',
      hosts('', /^(?:\*|[a-z0-9.-]{1,253})$/, 'a host such as example.org, or *'),
    ).is(
      'hosts that links in replies may lead to, with their subdomains, comma-separated, or *; others are shown and can not be followed',
    ),
    consoleDirectory: setting('CONSOLE_DIRECTORY', z.string().optional()).is(
      'folder of the built web console; the one of this checkout by default',
    ),
  },
  spend: {
    perDay: setting('DAILY_TOKENS', tokenLimit).is(
      'tokens that language models may cost in a day (UTC), after which people get an apology; 0: no limit',
    ),
    perPersonAndDay: setting('DAILY_TOKENS_PER_PERSON', tokenLimit).is('the same for one person'),
  },
  keepDays: {
    workingTexts: setting('WORKING_TEXTS_DAYS', days(30)).is(
      'days after which copies of what was said go that only turns work with; the conversation stays. 0: only with it',
    ),
    transcript: setting('TRANSCRIPT_DAYS', days(0)).is(
      'days after which conversations go; what is remembered of them has its own retention. 0: never',
    ),
    audit: setting('AUDIT_DAYS', days(365, 30)).is(
      'days for which it is kept what operators did; 30 at least',
    ),
    leftServers: setting('LEFT_SERVERS_DAYS', days(7)).is(
      'days after the bot was removed from a server until what was said there goes, unless it is back',
    ),
  },
  tools: {
    directory: setting('TOOLS_DIRECTORY', z.string().optional()).is(
      'folder with mcp.json (MCP servers) and *.openapi.json (HTTP interfaces), whose tools an operator may then allow; by default none, with Compose the folder toolbox',
    ),
  },
  web: {
    pages: setting('WEB_PAGES', z.stringbool().default(false)).is(
      'is there a tool that reads pages on the web (read_page); an operator then allows it where it may be used',
    ),
    origins: setting(
      'WEB_ORIGINS',
      list('').pipe(z.array(httpAddress.transform((url) => new URL(url).origin))),
    ).is(
      'origins such as http://wiki.lan:8080, comma-separated, that read_page may read although they are inside or on a port of their own',
    ),
    pictureHosts: setting(
      'PICTURE_HOSTS',
      hosts('cdn.discordapp.com,media.discordapp.net', /^[a-z0-9.-]{1,253}$/, 'a host such as example.org'),
    ).is('hosts that pictures of messages are fetched from, comma-separated'),
    search: setting(
      'WEB_SEARCH',
      z
        .string()
        .default('')
        .transform((text, context) => {
          const host = parseSearchHost(text);
          if (!host && text !== '') context.addIssue('searxng:https://…, brave, or brave:https://…');
          return host;
        }),
    ).is('host of the tool web_search: searxng: and its address, or brave; none by default'),
    searchKey: setting('WEB_SEARCH_KEY', z.string().default('')).is(
      'key for that host, where it asks for one',
    ),
  },
  turn: {
    debounceMs: setting('TURN_DEBOUNCE_MS', milliseconds(1_200, 0)).is(
      'how long a chat door waits for the rest of a burst before a turn begins',
    ),
    replyTimeoutMs: setting('REPLY_TIMEOUT_MS', milliseconds(120_000, 0)).is(
      'how long an API call waits for its reply',
    ),
    maxPromptTokens: setting(
      'MAX_PROMPT_TOKENS',
      z.coerce
        .number()
        .int()
        .min(0)
        .refine((tokens) => tokens === 0 || tokens >= 1_000, '0, or at least 1000')
        .default(0),
    ).is('most tokens of a prompt, whatever the model holds; 0: as its card says (MODEL_CARDS)'),
    useTools: setting('CHAT_TOOLS', z.stringbool().optional()).is(
      'may the chat model call tools: search, note, keep tasks; empty: where every chat model is known to take them',
    ),
    reasoning: {
      maxSteps: setting('TURN_MAX_STEPS', z.coerce.number().int().positive().max(50).default(6)).is(
        'steps of one turn in which the chat model may call tools, after which it is to speak',
      ),
      maxTokens: setting('TURN_MAX_TOKENS', z.coerce.number().int().positive().default(60_000)).is(
        'tokens of one turn, after which the chat model may call no more tools',
      ),
      maxMs: setting('TURN_MAX_MS', milliseconds(60_000, 0)).is(
        'time of one turn, after which the chat model may call no more tools',
      ),
      // By default the price of some fifty turns of a mid-range model: a turn that costs more runs in circles.
      maxCost: setting('TURN_MAX_COST', z.coerce.number().nonnegative().default(0.5)).is(
        'US dollars of one turn, after which it ends with the best reply it has; counts where the model’s price is known (MODEL_CARDS). 0: no limit',
      ),
    },
    maxReplyTokens: setting('MAX_REPLY_TOKENS', z.coerce.number().int().min(50).default(700)).is(
      'size of a reply, in tokens',
    ),
  },
});
export type Config = SettingsOf<typeof settings>;
