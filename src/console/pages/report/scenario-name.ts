/** What the tasks were about: `agent/intent` without the agent, which stands beside it. */
export function scenarioName(agent: string, scenario: string): string {
  return scenario.startsWith(`${agent}/`) ? scenario.slice(agent.length + 1) : scenario;
}
