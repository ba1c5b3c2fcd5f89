import type { Kysely } from 'kysely';
import * as conversations from './0001-conversations.ts';
import * as tasks from './0002-tasks.ts';
import * as calls from './0003-calls.ts';
import * as judgement from './0004-judgement.ts';
import * as memory from './0005-memory.ts';
import * as people from './0006-people.ts';
import * as audit from './0007-audit.ts';
import * as identity from './0008-identity.ts';
import * as events from './0009-events.ts';
import * as notifications from './0010-notifications.ts';
import * as sessions from './0011-sessions.ts';
import * as queue from './0012-queue.ts';
import * as learning from './0013-learning.ts';
import * as facts from './0014-facts.ts';
import * as rules from './0015-rules.ts';
import * as prompts from './0016-prompts.ts';
import * as experiments from './0017-experiments.ts';
import * as datasets from './0018-datasets.ts';
import * as learn from './0019-learn.ts';
import * as knowledge from './0020-memory.ts';
import * as judges from './0021-judges.ts';
import * as judgeTerms from './0022-judge-terms.ts';

export interface Migration {
  up(database: Kysely<any>): Promise<void>;
}

/** The core's migrations in the order they run. A published one is never edited: write the next. */
export const coreMigrations: Record<string, Migration> = {
  'core/0001-conversations': conversations,
  'core/0002-tasks': tasks,
  'core/0003-calls': calls,
  'core/0004-judgement': judgement,
  'core/0005-memory': memory,
  'core/0006-people': people,
  'core/0007-audit': audit,
  'core/0008-identity': identity,
  'core/0009-events': events,
  'core/0010-notifications': notifications,
  'core/0011-sessions': sessions,
  'core/0012-queue': queue,
  'core/0013-learning': learning,
  'core/0014-facts': facts,
  'core/0015-rules': rules,
  'core/0016-prompts': prompts,
  'core/0017-experiments': experiments,
  'core/0018-datasets': datasets,
  'core/0019-learn': learn,
  'core/0020-memory': knowledge,
  'core/0021-judges': judges,
  'core/0022-judge-terms': judgeTerms,
};
