import { toolRoutes } from '@kith/contracts';
import { type RuleTarget } from '../tools/tool-rules.js';
import { serveRoutes } from './serve-routes.js';

/** Serves tools: who may use which, the questions that wait, and the operators' rules. */
export const ToolsController = serveRoutes(
  toolRoutes,
  ({ permittedTools: tools, rules, companions, registry }) => {
    /** Finds the place of a call: with none of Discord's servers, channels and roles, whose rules do not hold here. */
    const placeOf = async (companion: string | undefined) => ({
      companionId: await companions.require(companion),
      server: null,
      channel: null,
      roles: [],
    });
    return {
      list: async ({ caller: { personId }, query }) => ({
        tools: await tools.list({ personId, place: await placeOf(query.companion) }),
        leftOut: registry.leftOut(),
      }),
      run: async ({ caller: { personId }, params, body }) =>
        tools.run({ personId, place: await placeOf(body.companion) }, params.name, body),
      takeBack: async ({ caller: { personId }, params, query }) =>
        tools.takeBack(personId, await companions.require(query.companion), params.name),
      questions: async ({ caller: { personId } }) => ({ questions: await tools.questions(personId) }),
      answer: ({ caller: { personId }, params, body }) => tools.answer(personId, params.id, body.answer),
      rules: async () => ({ rules: await rules.list() }),
      setRule: async ({ params, body: { allow, ...place }, request }) => {
        request.subjects = { ...subjectsOf(place), allow: String(allow) };
        // A denial of a companion that is not there would hold for nobody.
        if (place.companion !== undefined) await companions.require(place.companion);
        await rules.set(placeOfRule(params.name, place), allow);
      },
      removeRule: async ({ params, query, request }) => {
        request.subjects = subjectsOf(query);
        await rules.remove(placeOfRule(params.name, query));
      },
    };
  },
);

type GivenPlace = Partial<Record<'companion' | 'server' | 'channel' | 'role', string | undefined>>;

function placeOfRule(tool: string, place: GivenPlace): RuleTarget {
  const { companion: companionId = null, server = null, channel = null, role = null } = place;
  return { tool, companionId, server, channel, role };
}

function subjectsOf(place: GivenPlace): Record<string, string> {
  return Object.fromEntries(Object.entries(place).filter((entry): entry is [string, string] => !!entry[1]));
}
