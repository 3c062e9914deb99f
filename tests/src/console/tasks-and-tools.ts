import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { appears, browser, suite } from './open-console.js';

/** Tests of tasks, and of questions that tools ask. */
export function tasksAndTools(): void {
  it('looks again where a task could not be changed, and offers no second try of what is refused', async () => {
    const { key } = await suite.newPerson('Busy');
    const tab = await (await browser.newContext()).newPage();
    let tell = (_: string): void => undefined;
    await tab.routeWebSocket(/\/v1\/ws$/, (socket) => {
      socket.connectToServer();
      tell = (frame) => socket.send(frame);
    });
    await tab.goto(await suite.signInLink(key));
    const time = new Date().toISOString();
    const task = (id: string, text: string) => ({
      id,
      companionId: 'mira',
      audience: 'direct',
      number: 1,
      text,
      state: 'open',
      priority: 2,
      dueAt: null,
      waitsFor: null,
      notedBy: 'person',
      sources: [],
      createdAt: time,
      updatedAt: time,
    });
    const tasks = ['Water the plants', 'Call Mona'].map((text) => task(randomUUID(), text));
    await tab.route(/\/v1\/tasks\?/, (route) => route.fulfill({ json: { tasks } }));
    let status = 404;
    await tab.route('**/v1/tasks/*', (route) => {
      tasks.shift();
      const problem = { type: 'about:blank', title: 'No', status, detail: 'not so', code: 'any' };
      return route.fulfill({ status, json: problem });
    });
    await tab.getByRole('button', { name: 'Tasks' }).click();
    // Private talk that is switched forgets nothing: a keyboard keeps its place.
    const first = tab.getByRole('button', { name: 'Done' }).first();
    await first.focus();
    const readAfterSwitch = async (isPrivate: boolean) => {
      const isRead = tab.waitForResponse(/\/v1\/tasks\?/);
      await suite.api('/v1/memories/privacy', { method: 'PUT', key, body: { private: isPrivate } });
      await isRead;
    };
    await readAfterSwitch(true);
    await first.and(tab.locator(':focus')).waitFor();
    for (const [text, tries] of [
      ['Water the plants', 0],
      ['Call Mona', 1],
    ] as const) {
      const entry = tab.getByRole('listitem').filter({ hasText: text });
      await entry.getByRole('button', { name: 'Done' }).press('Enter');
      await tab.getByText('not so').waitFor();
      await entry.waitFor({ state: 'detached' });
      await tab.getByRole('main', { name: 'Tasks' }).and(tab.locator(':focus')).waitFor();
      expect(await tab.getByRole('button', { name: 'Try again' }).count()).toBe(tries);
      status = 503;
    }
    const again = tab.getByRole('button', { name: 'Try again' });
    await again.focus();
    await readAfterSwitch(false);
    await tab.waitForTimeout(300);
    await again.and(tab.locator(':focus')).waitFor();

    // A change that was lost may have forgotten words of a task: nothing is shown before it is read again.
    tasks.push(task(randomUUID(), 'Feed the goats'));
    await readAfterSwitch(true);
    const goats = tab.getByText('Feed the goats');
    await appears(goats);
    await tab.route(/\/v1\/tasks\?/, () => undefined);
    tell(JSON.stringify({ type: 'talk-changed' }));
    await goats.waitFor({ state: 'detached' });
    await tab.context().close();
  });

  it('asks about the next tool after a question was left by Escape, and takes no Enter for an answer', async () => {
    const { key } = await suite.newPerson('Hurried');
    const tab = await (await browser.newContext()).newPage();
    const questions = ['send_mail', 'open_door'].map((tool) => ({
      id: randomUUID(),
      tool,
      arguments: {},
      text: '',
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    }));
    await tab.route('**/v1/tool-questions', (route) => route.fulfill({ json: { questions } }));
    let answers = 0;
    await tab.route('**/v1/tool-questions/*', async (route) => {
      answers += 1;
      if (answers > 1) return route.abort();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return route.fulfill({ json: { status: 'done', result: 'The mail is sent.' } });
    });
    await tab.goto(await suite.signInLink(key));
    for (const { tool } of questions) {
      await appears(tab.getByRole('heading', { name: `May it use ${tool}?` }));
      await tab.keyboard.press('Enter');
      await tab.keyboard.press('Escape');
    }
    await tab.getByRole('dialog').waitFor({ state: 'detached' });
    expect(answers).toBe(0);
    await tab.reload();
    await tab.getByRole('button', { name: 'Allow', exact: true }).dblclick();
    await appears(tab.getByText('The mail is sent.'));
    await tab.getByRole('button', { name: 'Close' }).click();
    await appears(tab.getByRole('heading', { name: 'May it use open_door?' }));
    expect(answers).toBe(1);
    // Once nothing is asked any more, the focus is where it was.
    await tab.getByRole('button', { name: 'No', exact: true }).click();
    await appears(tab.getByText('Nothing answers at this address.'));
    await tab.getByRole('button', { name: 'Close' }).click();
    await tab.keyboard.press('Escape');
    await tab.locator('textarea:focus').waitFor();
    await tab.context().close();
  });

  it('takes a question away with the talk that it came from, also where it can’t be read again', async () => {
    const { key } = await suite.newPerson('Oblivious');
    const tab = await (await browser.newContext()).newPage();
    const question = {
      id: randomUUID(),
      tool: 'send_mail',
      arguments: { text: 'I lost my job.' },
      text: '',
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    };
    let isAway = false;
    await tab.route('**/v1/tool-questions', (route) =>
      isAway ? route.abort() : route.fulfill({ json: { questions: [question] } }),
    );
    await suite.say('I lost my job today.', { key });
    await tab.goto(await suite.signInLink(key));
    await appears(tab.getByText('I lost my job.', { exact: true }));
    isAway = true;
    let ids: string[] = [];
    await eventually('the line to be remembered', async () => {
      const { body } = await suite.api('/v1/memories', { key });
      ids = (body as { memories: { id: string }[] }).memories.map(({ id }) => id);
      return ids.length > 0;
    });
    await suite.api('/v1/memories/forget', { key, body: { ids } });
    await tab.getByRole('dialog').waitFor({ state: 'detached' });
    await tab.context().close();
  });
}
