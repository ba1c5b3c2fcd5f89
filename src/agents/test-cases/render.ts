import { oracleFor } from './oracles/index.ts';
import { pointsOf } from './requirement-text.ts';
import type { Format, TestCase, TestCasesInput, TestCasesOutput } from './schemas.ts';

/** Lines of the task that a reader, the scripted model too, finds its parts by. */
export const MARKS = { requirement: 'Requirement:', points: 'Coverage points:', interface: 'Interface:', format: 'Format:' } as const;

export function renderTestCasesInput(input: TestCasesInput): string {
  const oracle = oracleFor(input.requirement);
  return [
    `${MARKS.format} ${input.format}`,
    ...(oracle ? [`${MARKS.interface} a reference implementation will run your pairs, so write them so: ${oracle.interface}`] : []),
    MARKS.points,
    ...pointsOf(input).map((point, index) => `${index + 1}. ${point}`),
    MARKS.requirement,
    input.requirement,
  ].join('\n');
}

export function renderTestCasesOutput(output: TestCasesOutput): string {
  return RENDERERS[output.format](output);
}

const RENDERERS: Record<Format, (output: TestCasesOutput) => string> = {
  markdown: (output) => `${renderMarkdown(output)}\n\n\`\`\`json\n${renderJson(output)}\n\`\`\``,
  json: renderJson,
  gherkin: renderGherkin,
};

export function renderMarkdown({ subject, cases }: TestCasesOutput): string {
  return [`# Test cases: ${subject}`, ...cases.map(caseAsMarkdown)].join('\n\n');
}

function caseAsMarkdown({ id, title, preconditions, steps, data, expected, covers }: TestCase): string {
  return [
    `## ${id} ${title}`,
    '',
    ...(preconditions ? [`- Preconditions: ${preconditions}`] : []),
    '- Steps:',
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    `- Data: ${asCode(data)}`,
    `- Expected: ${asCode(expected)}`,
    ...(covers.length > 0 ? [`- Covers: ${covers.join('; ')}`] : []),
  ].join('\n');
}

/** A code span may hold backquotes when its fence is longer than any of them. */
function asCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

/** For programs: data and expected as the values that they stand for. */
function renderJson({ subject, cases }: TestCasesOutput): string {
  return JSON.stringify({ subject, cases: cases.map((each) => ({ ...each, data: valueOf(each.data), expected: valueOf(each.expected) })) }, null, 2);
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function renderGherkin({ subject, cases }: TestCasesOutput): string {
  return [`Feature: ${oneLine(subject)}`, ...cases.map(caseAsGherkin)].join('\n\n');
}

function caseAsGherkin({ id, title, preconditions, steps, data, expected, covers }: TestCase): string {
  return [
    ...covers.map((point) => `  # covers: ${oneLine(point)}`),
    `  @${id}`,
    `  Scenario: ${oneLine(title)}`,
    `    Given ${oneLine(preconditions) || 'the system in its initial state'}`,
    '    And the data',
    docString(data),
    ...steps.map((step, index) => `    ${index === 0 ? 'When' : 'And'} ${oneLine(step)}`),
    '    Then the result is',
    docString(expected),
  ].join('\n');
}

function docString(text: string): string {
  const lines = text
    .replaceAll('"""', '\\"\\"\\"')
    .split('\n')
    .map((line) => `      ${line}`);
  return ['      """', ...lines, '      """'].join('\n');
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
