import { agents } from './agents.ts';
import { charts } from './charts.ts';
import { chat } from './chat.ts';
import { errors } from './errors.ts';
import { form } from './form.ts';
import { inbox } from './inbox.ts';
import { learning } from './learning.ts';
import { overview } from './overview.ts';
import { phases } from './phases.ts';
import { report } from './report.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';
import { task } from './task.ts';
import { tasks } from './tasks.ts';
import { words } from './words.ts';

export const zh = { agents, charts, chat, errors, form, inbox, learning, overview, phases, report, settings, shell, signIn, task, tasks, words };
