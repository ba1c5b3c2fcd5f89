import { describe, expect, it } from 'vitest';
import { testCasesClosingText } from '../../../../src/agents/test-cases/closing-text.ts';
import { renderGherkin, renderMarkdown, renderTestCasesInput, renderTestCasesOutput } from '../../../../src/agents/test-cases/render.ts';
import { testCasesInputSchema } from '../../../../src/agents/test-cases/schemas.ts';
import { REASONS } from '../../../../src/contracts/reasons.ts';
import { output, REQUIREMENT } from './evaluate.ts';

const SET = output({ title: 'A name\nof 13', data: '{"name": "a`b"}', expected: 'refused', covers: ['length'], steps: ['rename', 'look'] });

describe('rendering', () => {
  it('Markdown holds the JSON too, with data as a value', () => {
    const text = renderTestCasesOutput(SET);
    expect(text).toContain('## TC-001 A name');
    expect(text).toContain('- Data: `` {"name": "a`b"} ``');
    const json = /```json\n([\s\S]*)\n```$/.exec(text)?.[1];
    expect(JSON.parse(json!)).toMatchObject({ subject: 'folders', cases: [{ id: 'TC-001', data: { name: 'a`b' }, expected: 'refused', covers: ['length'] }] });
    expect(renderTestCasesOutput({ ...SET, format: 'json' })).toBe(json);
    expect(text.startsWith(renderMarkdown(SET))).toBe(true);
  });

  it('Gherkin: one line for each step, data as a doc string', () => {
    expect(renderTestCasesOutput({ ...SET, format: 'gherkin' })).toBe(renderGherkin(SET));
    expect(renderGherkin(SET).split('\n')).toEqual([
      'Feature: folders',
      '',
      '  # covers: length',
      '  @TC-001',
      '  Scenario: A name of 13',
      '    Given the system in its initial state',
      '    And the data',
      '      """',
      '      {"name": "a`b"}',
      '      """',
      '    When rename',
      '    And look',
      '    Then the result is',
      '      """',
      '      refused',
      '      """',
    ]);
  });

  it('the task names an interface only where a reference will run the pairs', () => {
    const text = (requirement: string) => renderTestCasesInput(testCasesInputSchema.parse({ requirement }));
    expect(text(REQUIREMENT)).not.toContain('Interface:');
    expect(
      text(
        'Strings of length 1 or less are not valid. Spaces are allowed in the input,\nbut they should be stripped before checking. All other non-digit characters are disallowed.',
      ),
    ).toContain('Interface: a reference implementation will run your pairs');
  });
});

it('says something for every reason, in both languages', () => {
  for (const reason of REASONS) for (const language of ['zh', 'en']) expect(testCasesClosingText(reason, language).trim()).not.toBe('');
});
