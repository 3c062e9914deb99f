import { CORE_MEMORY_APPEND, CORE_MEMORY_REPLACE } from './core-tools.js';
import { SCHEDULE_INTENTION } from './schedule-tool.js';
import { SEARCH_CONVERSATION } from './search-conversation.js';
import { ARCHIVAL_MEMORY_CORRECT, ARCHIVAL_MEMORY_WITHDRAW } from './amend-tools.js';
import { ARCHIVAL_MEMORY_INSERT } from './archive-tool.js';
import { TASK_ADD, TASK_UPDATE } from './task-tools.js';
import { SEARCH_MEMORY } from './search-memory.js';
import type { ToolDeclaration } from './tool.js';

/** Declarations of all tools of our own, which are made anew for each turn. */
export const BUILT_IN: readonly ToolDeclaration[] = [
  SEARCH_MEMORY,
  SEARCH_CONVERSATION,
  CORE_MEMORY_APPEND,
  CORE_MEMORY_REPLACE,
  ARCHIVAL_MEMORY_INSERT,
  ARCHIVAL_MEMORY_CORRECT,
  ARCHIVAL_MEMORY_WITHDRAW,
  TASK_ADD,
  TASK_UPDATE,
  SCHEDULE_INTENTION,
];
