/** Rules on their way from a failed attempt to prompts: propose, review, experiment, canary, live, and back. */
import type { Command } from 'commander';
import { addJudge } from '../rules/judge.ts';
import { addListAndShow } from '../rules/list-and-show.ts';
import { addPropose } from '../rules/propose.ts';
import { addSteps } from '../rules/steps.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

export function addRules(program: Command, terminal: Terminal = processTerminal): void {
  const rules = program.command('rules').description('what was learned, and its way into prompts: review, experiment, canary, live');
  addListAndShow(rules, terminal);
  addPropose(rules, terminal);
  addSteps(rules, terminal);
  addJudge(rules, terminal);
}
