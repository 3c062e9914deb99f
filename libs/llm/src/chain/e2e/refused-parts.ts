import { describe, expect, it } from '@jest/globals';
import type { ScriptedModel } from '@kith/testing';
import { first, second, FIRST, SECOND, chain, roles, request } from './chain-of-two.js';

/** Tests what is asked again without what a host refuses. */
export function refusedParts(): void {
  describe('a chain of models', () => {
    it('shows pictures to those that see, and to no others', async () => {
      const role = chain({ cards: JSON.stringify({ [SECOND]: { images: true } }) });
      first.next({ kind: 'spend-limit' });
      const picture = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
      const content = [{ type: 'text', text: 'look' }, picture] as const;
      await role.complete({ messages: [{ role: 'user', content }] });
      expect([first, second].map(({ requests }) => requests.map(({ messages }) => messages))).toEqual([
        [[{ role: 'user', text: 'look' }]],
        [[{ role: 'user', text: 'look', images: ['image/png'] }]],
      ]);
    });

    it('asks again without pictures where a host refuses them, and only there', async () => {
      const role = chain({ chatModels: FIRST, cards: JSON.stringify({ [FIRST]: { images: true } }) });
      const picture = { type: 'image', mediaType: 'image/png', data: 'no base64' } as const;
      const content = [{ type: 'text', text: 'look' }, picture] as const;
      const { tries } = await role.complete({ messages: [{ role: 'user', content }] });
      expect(tries.map(({ kind }) => kind)).toEqual(['invalid-request', 'answered']);
      first.replyWith(() => ({ reasoning: ['Hm.'], isCut: true }));
      const seen = [content[0], { ...picture, data: 'iVBORw0KGgo=' }] as const;
      await expect(role.complete({ messages: [{ role: 'user', content: seen }] })).rejects.toMatchObject({
        tries: [{ kind: 'out-of-tokens' }],
      });
    });

    describe('where a host refuses the schema of a tool, and the whole request for it', () => {
      const tools = ['own', 'pad__find', 'pad__find_all'].map((name) => ({
        name,
        description: 'Finds.',
        parameters: { type: 'object' },
      }));
      const refuse = (message: string) =>
        first.next({
          kind: 'status',
          status: 400,
          body: { error: { message, type: 'invalid_request_error' } },
        });
      const offered = () =>
        first.requests.map(({ body }) =>
          ((body as { tools?: { function: { name: string } }[] }).tools ?? []).map(
            (tool) => tool.function.name,
          ),
        );

      it.each([
        "Invalid schema for function 'pad__find': In context=('properties', 'own'), array schema missing items.",
        'tools.1.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level',
        'GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[ids].items: missing field',
      ])('goes without that tool from then on: %s', async (words) => {
        const role = chain({ chatModels: FIRST });
        refuse(words);
        const { text, tries } = await role.complete({ ...request, tools });
        expect(text).toBe('The first one speaks.');
        expect(tries).toMatchObject([
          { kind: 'invalid-request', leftOut: ['pad__find'] },
          { kind: 'answered' },
        ]);
        await role.complete({ ...request, tools });
        const rest = ['own', 'pad__find_all'];
        expect(offered()).toEqual([['own', 'pad__find', 'pad__find_all'], rest, rest]);
        expect(role.status()).toMatchObject([{ isTrusted: true, lastError: null }]);
      });

      it('goes without any where it refuses a second one, or names none', async () => {
        const role = chain({ chatModels: FIRST });
        refuse("Invalid schema for function 'pad__find'");
        refuse("Invalid schema for function 'pad__find_all'");
        await role.complete({ ...request, tools });
        await role.complete({ ...request, tools });
        refuse('"auto" tool choice requires --enable-auto-tool-choice to be set');
        await role.complete({ ...request, tools });
        expect(offered().map(({ length }) => length)).toEqual([3, 2, 0, 1, 1, 0]);
      });

      it('takes no other refusal for one of tools, nor one that tells of a call', async () => {
        const role = chain({ chatModels: FIRST });
        refuse('messages: the last one is empty');
        await expect(role.complete({ ...request, tools })).rejects.toThrow('invalid-request');
        refuse('Function call is missing a thought_signature: function call `default_api:own`, position 2');
        await role.complete({ ...request, tools });
        await role.complete({ ...request, tools });
        expect(offered().map(({ length }) => length)).toEqual([3, 3, 0, 3]);
      });
    });

    it('asks for words alone where calls can not be read again and again, and no other model is left', async () => {
      const tools = [{ name: 'look_up', description: 'Looks up.', parameters: { type: 'object' } }];
      const error = { message: 'Failed to call a function.', code: 'tool_use_failed' };
      const miswritten = { kind: 'status', status: 400, body: { error } } as const;
      const toolsOf = ({ requests }: ScriptedModel) =>
        requests.map(({ body }) => (body as { tools?: unknown[] }).tools?.length ?? 0);
      const miswrite = () => [miswritten, miswritten].forEach((one) => first.next(one));
      miswrite();
      const { text, tries } = await chain({ chatModels: FIRST }).complete({ ...request, tools });
      expect(text).toBe('The first one speaks.');
      expect(tries.map(({ kind }) => kind)).toEqual(['garbled', 'garbled', 'answered']);
      miswrite();
      await chain().complete({ ...request, tools });
      expect([first, second].map(toolsOf)).toEqual([[1, 1, 0, 1, 1], [1]]);
      const role = chain();
      second.next({ kind: 'spend-limit' });
      miswrite();
      await expect(role.complete({ ...request, tools })).rejects.toThrow('spend-limit');
      miswrite();
      const last = await role.complete({ ...request, tools });
      expect(last.tries.map(({ kind }) => kind)).toEqual(['garbled', 'garbled', 'answered']);
    });

    // As llama.cpp and vLLM refuse it.
    it.each([
      [
        500,
        {
          error: { code: 500, message: 'Jinja Exception: Conversation roles must alternate user/assistant' },
        },
      ],
      [400, { object: 'error', message: 'Conversation roles must alternate user/assistant/user/...' }],
    ])('asks by turns from then on where a chat template takes nothing else: %i', async (status, body) => {
      const role = chain({ chatModels: FIRST });
      const messages = [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Notes.' },
        { role: 'user', content: 'Hello' },
      ] as const;
      first.next({ kind: 'status', status, body });
      expect((await role.complete({ messages })).text).toBe('The first one speaks.');
      await role.complete({ messages });
      const turns = [
        { role: 'system', text: 'Be kind.' },
        { role: 'user', text: 'Notes.\n\nHello' },
      ];
      expect(first.requests.slice(1).map(({ messages: heard }) => heard)).toEqual([turns, turns]);
      expect(role.status()).toMatchObject([{ isTrusted: true, lastError: null }]);
      first.always({ kind: 'status', status, body });
      await expect(role.complete({ messages })).rejects.toThrow('no chat model answered');
    });

    it('asks again without pictures where a prompt is too long with them, and takes no context for smaller', async () => {
      const { chat, cards } = roles({
        chatModels: FIRST,
        cards: JSON.stringify({ [FIRST]: { images: true } }),
      });
      const error = { message: 'too much', code: 'context_length_exceeded' };
      const tooLong = { kind: 'status', status: 400, body: { error } } as const;
      const picture = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
      const content = [{ type: 'text', text: 'look. '.repeat(1_000) }, picture] as const;
      const ask = () => chat.complete({ messages: [{ role: 'user', content }] });
      const contextOf = () => cards.of(FIRST).contextTokens;
      first.next(tooLong);
      expect((await ask()).tries.map(({ kind }) => kind)).toEqual(['too-long', 'answered']);
      expect(contextOf()).toBe(8_192);
      first.always(tooLong);
      await expect(ask()).rejects.toThrow('too-long');
      expect(contextOf()).toBeLessThan(2_000);
      expect(chat.status()).toMatchObject([{ isTrusted: true, lastError: null }]);
    });
  });
}
