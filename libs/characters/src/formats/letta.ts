import { cutText, oneLine, type LoreInput } from '@kith/contracts';
import type { CharacterReport } from '../character.js';
import { isObject, listOf, objectOf, textOf, type Json } from '../json-values.js';
import { draftCharacter } from '../draft-character.js';
import { byText, constantLore, reportFields, type FormatFamily } from './format.js';

const UNDERSTOOD = { name: 'its name', description: 'what people read of it' };
const KEPT = {
  system: 'in no prompt: the rules of Kith hold',
  messages: 'other people’s talk: in no prompt, and out of reach of what the suite forgets',
  tools: 'code: never run',
  passages: 'archival passages: in no prompt, and out of reach of what the suite forgets',
  block_ids: 'reported as blocks',
};
/** Letta's own measure of a block. */
const BLOCK_LIMIT = 5_000;
/** A core block is before the model in every turn, so it goes before what a word calls up (100). */
const BLOCK_PRIORITY = 800;

/** A block of the agent's memory. */
interface Block {
  /** Place in the file's list of blocks. */
  readonly at: number;
  readonly label: string;
  readonly value: string;
}

/** Letta's agent files: today's, with lists by kind, and the earlier ones of a single agent. */
export const letta: FormatFamily = {
  key: 'letta',

  recognise(document) {
    if (Array.isArray(document['agents']) && isObject(document['agents'][0])) return 'letta';
    return Array.isArray(document['core_memory']) && typeof document['agent_type'] === 'string'
      ? 'letta-1'
      : null;
  },

  normalise: (document) => document,

  read(kept, report) {
    const agent = agentOf(kept);
    if (agent !== kept)
      reportFields({ ...kept, agents: listOf(kept['agents']).slice(1), blocks: [] }, '', {}, report, KEPT);
    const { texts, others: none } = byText(agent, UNDERSTOOD);
    reportFields({ ...agent, core_memory: [] }, '', texts, report, { ...KEPT, ...none });
    const blocks = blocksOf(kept);
    const persona = blocks.find(({ label }) => label === 'persona');
    const others = blocks.filter(
      (block) => block !== persona && block.label !== 'human' && block.value.trim() !== '',
    );
    reportBlocks(blocks, report);
    return draftCharacter(
      {
        name: textOf(agent['name']),
        description: [persona?.value ?? ''],
        tagline: [textOf(agent['description'])],
        about: textOf(agent['description']),
        tone: '',
        greeting: '',
        dialogues: [],
        interests: [],
        lore: others.flatMap(({ label, value }) =>
          constantLore(cutText(oneLine(label), 100) || 'Block', value, BLOCK_PRIORITY),
        ),
      },
      report,
    );
  },

  blank: () => ({
    agents: [
      {
        id: 'agent-0',
        name: '',
        system: '',
        agent_type: 'memgpt_v2_agent',
        description: '',
        block_ids: ['block-0'],
        tool_ids: [],
        source_ids: [],
        tags: [],
        messages: [],
        in_context_message_ids: [],
        metadata: {},
      },
    ],
    groups: [],
    blocks: [
      { id: 'block-0', label: 'persona', value: '', limit: BLOCK_LIMIT, description: null, read_only: false },
    ],
    files: [],
    sources: [],
    tools: [],
    mcp_servers: [],
    skills: [],
    metadata: {},
    created_at: null,
  }),

  change(kept, { persona, lore }, changed) {
    const values = new Map<string, string>();
    if (changed.has('description')) values.set('persona', persona.description);
    const constant = lore.filter((entry) => entry.constant);
    if (changed.has('lore')) for (const { name, content } of constant) values.set(name, content);
    const isCut = new Set(
      constant.filter(({ name }) => name.endsWith(', part 2')).map(({ name }) => name.slice(0, -8)),
    );
    // A block that came in as several entries can't be told from them any more.
    for (const label of isCut) values.delete(label);
    const blocks = blocksOf(kept);
    const changedBlocks = blocks.flatMap((block) => {
      const value = values.get(block.label);
      return value === undefined || value === block.value ? [] : [{ ...block, value }];
    });
    const known = new Set(blocks.map(({ label }) => label));
    const added = changed.has('lore')
      ? constant.filter(({ name }) => !known.has(name) && !/, part \d+$/.test(name))
      : [];
    const named = {
      ...agentOf(kept),
      ...(changed.has('name') && { name: persona.name }),
      ...((changed.has('about') || changed.has('tagline')) && {
        description: persona.about ?? persona.tagline,
      }),
    };
    return withBlocks(withAgent(kept, named), changedBlocks, added);
  },

  holderOf(kept) {
    const agent = agentOf(kept);
    return objectOf(agent[metadataOf(agent)]);
  },

  withHolder(kept, metadata) {
    const agent = agentOf(kept);
    return withAgent(kept, { ...agent, [metadataOf(agent)]: metadata });
  },
};

/** The agent that is meant: the first, or the whole file of an earlier version. */
function agentOf(kept: Json): Json {
  return Array.isArray(kept['agents']) ? objectOf(kept['agents'][0]) : kept;
}

/** The field of an agent's metadata, which earlier versions name otherwise. */
function metadataOf(agent: Json): 'metadata' | 'metadata_' {
  return 'metadata' in agent || !('metadata_' in agent) ? 'metadata' : 'metadata_';
}

function withAgent(kept: Json, agent: Json): Json {
  return Array.isArray(kept['agents'])
    ? { ...kept, agents: [agent, ...(kept['agents'] as unknown[]).slice(1)] }
    : agent;
}

/** The field that holds the blocks. */
function listNameOf(kept: Json): 'blocks' | 'core_memory' {
  return Array.isArray(kept['agents']) ? 'blocks' : 'core_memory';
}

/** The agent's own blocks, in their order. */
function blocksOf(kept: Json): Block[] {
  const list = listNameOf(kept);
  const own = new Set(listOf(agentOf(kept)['block_ids']));
  return listOf(kept[list]).flatMap((raw, at) => {
    const block = objectOf(raw);
    if (list === 'blocks' && !own.has(block['id'])) return [];
    return [{ at, label: textOf(block['label']), value: textOf(block['value']) }];
  });
}

function withBlocks(kept: Json, changed: readonly Block[], added: readonly LoreInput[]): Json {
  const list = listNameOf(kept);
  if (changed.length + added.length === 0) return kept;
  const raws = [...listOf(kept[list])];
  for (const { at, value } of changed) {
    const raw = objectOf(raws[at]);
    const isTooLong = typeof raw['limit'] === 'number' && raw['limit'] < value.length;
    raws[at] = { ...raw, value, ...(isTooLong && { limit: value.length }) };
  }
  const taken = new Set(raws.map((raw) => objectOf(raw)['id']));
  const ids = added.map((_, n) => {
    let id = `block-${raws.length + n}`;
    while (taken.has(id)) id += '-kith';
    return id;
  });
  raws.push(
    ...added.map(({ name: label, content: value }, n) => ({
      id: ids[n],
      label,
      value,
      limit: BLOCK_LIMIT,
      description: null,
      read_only: false,
    })),
  );
  const agent = agentOf(kept);
  const named =
    list === 'blocks'
      ? withAgent(kept, { ...agent, block_ids: [...listOf(agent['block_ids']), ...ids] })
      : kept;
  return { ...named, [list]: raws };
}

function reportBlocks(blocks: readonly Block[], report: CharacterReport): void {
  for (const { label } of blocks.slice(0, MAX_REPORTED)) {
    const field = `block ${label.slice(0, 80)}`;
    if (label === 'persona') report.understood.push({ field, note: 'who it is' });
    else if (label === 'human') report.kept.push({ field, note: 'who it tells of is nobody of this suite' });
    else report.understood.push({ field, note: 'lore that is always told, as far as there is room' });
  }
}

/** An agent has a handful. */
const MAX_REPORTED = 50;
