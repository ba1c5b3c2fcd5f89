import type { Command } from 'commander';
import { z } from 'zod';
import type { AnyAgent } from '../../agents/define-agent.ts';
import { DEFAULT_LIMITS } from '../../contracts/limits.ts';
import { approvalRules } from '../../policy/approvers.ts';
import { agentNamed, agentNames } from '../agents.ts';
import { withExamples } from '../examples.ts';
import { createOutput, type Output } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { duration } from '../text/format.ts';
import { safe } from '../text/safe.ts';

export function addAgents(program: Command, terminal: Terminal = processTerminal): void {
  const command = program
    .command('agents [name]')
    .description('the agents that there are, or one in full: tools, evaluators, limits, who approves')
    .option('--json', 'print JSON')
    .action((name: string | undefined, { json }: { json?: boolean }) => {
      const output = createOutput({ terminal, json });
      if (name === undefined) list(output, agentNames.map(agentNamed));
      else show(output, agentNamed(name));
    });
  withExamples(command, 'agents', 'agents support');
}

function list(output: Output, agents: AnyAgent[]): void {
  if (output.json)
    return output.printJson(agents.map(({ name, version, goal, tools, evaluators }) => ({ name, version, ...goal, tools: tools.length, evaluators: evaluators.length })));
  output.table(
    ['agent', 'version', 'tools', 'evaluators', 'what it does'],
    agents.map(({ name, version, goal, tools, evaluators }) => [output.paint.bold(name), version, tools.length, evaluators.length, goal.summary]),
    [2, 3],
  );
}

function show(output: Output, agent: AnyAgent): void {
  const approvals = approvalRules(agent.approvals);
  const limits = { ...DEFAULT_LIMITS, ...agent.limits };
  if (output.json) {
    const { name, version, goal, instructions, parameters } = agent;
    const tools = agent.tools.map(({ name, version, description, risk, riskWhen, requires, timeoutMs }) => ({ name, version, description, risk, riskWhen, requires, timeoutMs }));
    const evaluators = agent.evaluators.map(({ name, kind, hard, weight }) => ({ name, kind, hard, weight }));
    return output.printJson({
      name,
      version,
      ...goal,
      instructions,
      inputSchema: z.toJSONSchema(agent.input, { io: 'input', unrepresentable: 'any' }),
      tools,
      evaluators,
      limits,
      parameters,
      approvals,
    });
  }
  const { paint, print } = output;
  print(safe`${paint.bold(agent.name)} ${agent.version} — ${agent.goal.summary}`);
  for (const criterion of agent.goal.success) print(safe`  succeeds when: ${criterion}`);
  print();
  output.table(
    ['tool', 'risk', 'needs first', 'what it does'],
    agent.tools.map((tool) => [
      paint.cyan(tool.name),
      tool.riskWhen.length > 0 ? `${tool.risk}, or by its arguments ${[...new Set(tool.riskWhen.map(({ risk }) => risk))].join(', ')}` : tool.risk,
      tool.requires.map(({ tool: needed }) => needed).join(', '),
      tool.description.split(/(?<=[.。])\s/)[0] ?? '',
    ]),
  );
  print();
  output.table(
    ['evaluator', 'kind', 'hard', 'weight'],
    agent.evaluators.map(({ name, kind, hard, weight }) => [name, kind, hard ? 'yes' : '', weight]),
    [3],
  );
  print();
  output.table(
    ['risk', 'who approves', 'roles', 'when nobody answers'],
    Object.entries(approvals).map(([risk, { policy, roles, onTimeout, waitMs }]) => [
      risk,
      { auto: 'nobody need', one: 'one person', two: 'two different people', never: 'refused' }[policy],
      policy === 'auto' || policy === 'never' ? '' : roles.join(', '),
      policy === 'auto' || policy === 'never' ? '' : `${onTimeout} after ${duration(waitMs ?? limits.approvalTimeoutMs)}`,
    ]),
  );
  print();
  print(
    paint.dim(
      safe`limits: ${Object.entries(limits)
        .map(([limit, value]) => `${limit}=${String(value)}`)
        .join(' ')}`,
    ),
  );
  print(paint.dim(safe`stored settings: npm run loopwright -- settings ${agent.name}`));
}
