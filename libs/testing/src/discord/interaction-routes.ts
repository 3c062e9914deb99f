import {
  asJson,
  NO_CONTENT,
  ok,
  refusal,
  textOf,
  UNKNOWN_MESSAGE,
  type RestAnswer,
  type RestRequest,
  openRoute,
  type Route,
} from './answers.js';
import { attachmentsAfter } from './attachments.js';
import type { Journal } from './journal.js';
import { refuseBody } from './message-routes.js';
import {
  EPHEMERAL,
  LOADING,
  type DiscordChannel,
  type DiscordMessage,
  type DiscordUser,
  type DiscordWorld,
  type Json,
} from './discord-world.js';

/** Past this the first answer is void: Discord shows "the application did not respond". */
export const CALLBACK_DEADLINE_MS = 3_000;
/** Past this the token can no longer edit or follow up. */
export const TOKEN_LIFETIME_MS = 15 * 60_000;

/** One use of a command or a button, and what the person got to see. */
export interface DiscordInteraction {
  id: string;
  token: string;
  user: DiscordUser;
  channel: DiscordChannel;
  createdAt: number;
  /** The callback's type: 4 answer, 5 answer later, 6 update later, 7 update. Null until it came. */
  callback: number | null;
  /** Time the bot took for it. */
  answeredAfterMs: number | null;
  /** The first answer; for buttons the message they sit on. Null while there is none. */
  original: DiscordMessage | null;
  followUps: DiscordMessage[];
  /** True once its outcome is on the screen: an answer, an edit of it, or a follow-up. */
  shown: boolean;
}

/** Callbacks within 3 s, then edits and follow-ups for 15 minutes. */
export class InteractionRoutes {
  readonly interactions = new Map<string, DiscordInteraction>();

  constructor(
    private readonly world: DiscordWorld,
    private readonly journal: Journal,
  ) {}

  readonly routes: Route[] = [
    openRoute('POST', /^\/interactions\/(\d+)\/([^/]+)\/callback$/, (request, id, token) =>
      this.callback(request, id, token),
    ),
    openRoute('POST', /^\/webhooks\/\d+\/([^/]+)$/, (request, token) => this.followUp(request, token)),
    openRoute('GET', /^\/webhooks\/\d+\/([^/]+)\/messages\/([^/]+)$/, (_request, token, id) =>
      this.withMessage(token, id, (message) => ok(message)),
    ),
    openRoute('PATCH', /^\/webhooks\/\d+\/([^/]+)\/messages\/([^/]+)$/, (request, token, id) =>
      this.withMessage(token, id, (message, interaction) => this.edit(request, message, interaction)),
    ),
    openRoute('DELETE', /^\/webhooks\/\d+\/([^/]+)\/messages\/([^/]+)$/, (_request, token, id) =>
      this.withMessage(token, id, (message) => this.remove(message)),
    ),
  ];

  /** Begins an interaction; `on` is the message a button sits on. */
  begin(user: DiscordUser, channel: DiscordChannel, on: DiscordMessage | null): DiscordInteraction {
    const id = this.world.snowflake();
    const interaction: DiscordInteraction = {
      id,
      token: `interaction-token-${id}`,
      user,
      channel,
      createdAt: this.world.now(),
      callback: null,
      answeredAfterMs: null,
      original: on,
      followUps: [],
      shown: false,
    };
    this.interactions.set(id, interaction);
    return interaction;
  }

  private callback(request: RestRequest, id = '', token = ''): RestAnswer {
    const interaction = this.interactions.get(id);
    const now = this.world.now();
    if (interaction?.token !== token || now - interaction.createdAt > CALLBACK_DEADLINE_MS)
      return refusal(404, 10062, 'Unknown interaction');
    if (interaction.callback !== null)
      return refusal(400, 40060, 'Interaction has already been acknowledged.');
    const type = Number(asJson(request.body)['type']);
    const data = asJson(asJson(request.body)['data']);
    const wrong = type === 4 || type === 7 ? refuseBody(data) : undefined;
    if (wrong) return wrong;
    const attachments = attachmentsAfter(this.world, data['attachments'], request.files, []);
    if (!Array.isArray(attachments)) return attachments;
    interaction.callback = type;
    interaction.answeredAfterMs = now - interaction.createdAt;
    interaction.shown = type === 4 || type === 7;
    if (type === 4) interaction.original = this.message(interaction, { ...data, attachments });
    if (type === 5) interaction.original = this.message(interaction, { ...data, content: '' }, LOADING);
    if (type === 7 && interaction.original) Object.assign(interaction.original, data, { attachments });
    if (request.query.get('with_response') !== 'true') return NO_CONTENT;
    const message = interaction.original;
    return ok({
      interaction: { id, type: 2, response_message_id: message?.id },
      resource: { type, ...(message ? { message } : {}) },
    });
  }

  private followUp(request: RestRequest, token: string | undefined): RestAnswer {
    const interaction = this.byToken(token);
    if (!interaction) return refusal(401, 50027, 'Invalid Webhook Token');
    const body = asJson(request.body);
    const wrong = refuseBody(body);
    if (wrong) return wrong;
    const attachments = attachmentsAfter(this.world, body['attachments'], request.files, []);
    if (!Array.isArray(attachments)) return attachments;
    const message = this.message(interaction, { ...body, attachments });
    interaction.followUps.push(message);
    interaction.shown = true;
    return ok(message);
  }

  private edit(request: RestRequest, message: DiscordMessage, interaction: DiscordInteraction): RestAnswer {
    const body = asJson(request.body);
    const wrong = refuseBody({ ...message, ...body });
    if (wrong) return wrong;
    const attachments = attachmentsAfter(this.world, body['attachments'], request.files, message.attachments);
    if (!Array.isArray(attachments)) return attachments;
    Object.assign(message, body, {
      attachments,
      flags: message.flags & ~LOADING,
      edited_timestamp: new Date(this.world.now()).toISOString(),
    });
    interaction.shown = true;
    this.journal.edits.push({ message: { ...message }, body });
    return ok(message);
  }

  private remove(message: DiscordMessage): RestAnswer {
    this.world.messages.delete(message.id);
    this.journal.deleted.push(message.id);
    return NO_CONTENT;
  }

  private withMessage(
    token: string | undefined,
    messageId: string | undefined,
    use: (message: DiscordMessage, interaction: DiscordInteraction) => RestAnswer,
  ): RestAnswer {
    const interaction = this.byToken(token);
    if (!interaction) return refusal(401, 50027, 'Invalid Webhook Token');
    const message =
      messageId === '@original'
        ? interaction.original
        : [interaction.original, ...interaction.followUps].find((candidate) => candidate?.id === messageId);
    return message ? use(message, interaction) : UNKNOWN_MESSAGE;
  }

  private byToken(token: string | undefined): DiscordInteraction | undefined {
    return [...this.interactions.values()].find(
      (interaction) =>
        interaction.token === token &&
        interaction.callback !== null &&
        this.world.now() - interaction.createdAt < TOKEN_LIFETIME_MS,
    );
  }

  private message(interaction: DiscordInteraction, data: Json, state = 0): DiscordMessage {
    return this.world.addMessage(interaction.channel, this.world.bot, {
      content: textOf(data['content']),
      attachments: (data['attachments'] ?? []) as Json[],
      embeds: (data['embeds'] ?? []) as Json[],
      components: (data['components'] ?? []) as Json[],
      flags: (Number(data['flags'] ?? 0) & EPHEMERAL) | state,
      type: 20,
    });
  }
}
