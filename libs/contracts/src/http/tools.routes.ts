import { z } from 'zod';
import {
  LeftOutTools,
  ToolAnswer,
  ToolName,
  ToolOutcome,
  ToolQuestion,
  ToolRulePlace,
  ToolRuleView,
  ToolView,
} from '../views/tool-views.js';
import { DiscordId } from '../values/doors.js';
import { CompanionId, Uuid } from '../values/words.js';
import { del, get, post, put, type Routes } from './route.js';

export const ToolList = z.object({ tools: z.array(ToolView), leftOut: z.array(LeftOutTools).default([]) });
export const ToolRuleList = z.object({ rules: z.array(ToolRuleView) });
export const ToolQuestionList = z.object({ questions: z.array(ToolQuestion) });

const OneTool = z.strictObject({ name: ToolName });
const WithCompanion = z.strictObject({ companion: CompanionId.optional() });

export const toolRoutes = {
  list: get('/v1/tools', 'chat', {
    summary: 'Tools: what each reads and changes, and whether you may use it with a companion',
    query: WithCompanion,
    answer: ToolList,
  }),
  run: post('/v1/tools/{name}/run', 'chat', {
    summary: 'Use a tool yourself; one that changes something needs `confirm: true`',
    params: OneTool,
    body: WithCompanion.extend({
      arguments: z.record(z.string().max(100), z.unknown()).default({}),
      confirm: z.boolean().default(false),
    }),
    answer: ToolOutcome,
    errors: ['forbidden', 'conflict'],
  }),
  takeBack: del('/v1/tools/{name}/grant', 'chat', {
    summary: 'Be asked again before this tool is used for you',
    params: OneTool,
    query: WithCompanion,
  }),
  questions: get('/v1/tool-questions', 'chat', {
    summary: 'Calls of tools that wait for your answer',
    answer: ToolQuestionList,
  }),
  answer: put('/v1/tool-questions/{id}', 'chat', {
    summary: 'Answer a question: yes, always or no. A yes has the call made, once',
    params: z.strictObject({ id: Uuid }),
    body: z.strictObject({ answer: ToolAnswer }),
    answer: ToolOutcome,
    errors: ['conflict'],
  }),
  rules: get('/v1/tool-rules', 'admin', { summary: 'Rules that allow and deny tools', answer: ToolRuleList }),
  setRule: put('/v1/tools/{name}/rule', 'admin', {
    summary: 'Allow or deny a tool: everywhere, or for a companion, a server, a channel, a role',
    params: OneTool,
    // A name in the place of an id would deny the tool nowhere.
    body: ToolRulePlace.extend({
      server: DiscordId.optional(),
      channel: DiscordId.optional(),
      role: DiscordId.optional(),
      allow: z.boolean(),
    }),
  }),
  removeRule: del('/v1/tools/{name}/rule', 'admin', {
    summary: 'Take a rule back',
    params: OneTool,
    query: ToolRulePlace,
  }),
} satisfies Routes;
