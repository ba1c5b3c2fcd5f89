import { describe, expect, it } from 'vitest';
import { previewSupport } from '../../../src/agents/support/render.ts';
import { previewWeeklyReport, renderWeeklyReportOutput } from '../../../src/agents/weekly-report/render.ts';
import { readDraft, readDrafts } from '../../../src/live/preview.ts';
import type { Delta, Watched } from '../../../src/live/watched.ts';

const delta = (offset: number, text: string, stage = 'decide'): Delta => ({ type: 'delta', callKey: 'k', stage, try: 1, offset, text, draft: true });

/** Puts together what a page that follows the rules shows. */
function shown(watched: Watched[]): string {
  let text = '';
  for (const each of watched) {
    if (each.type === 'delta_reset') text = '';
    if (each.type === 'delta') {
      expect(each.offset).toBe(text.length);
      text += each.text;
    }
  }
  return text;
}

describe('what can be read of a draft', () => {
  const reply = 'Your order "A001"\nis on its way. 您的订单 😀 done.';
  const decision = JSON.stringify({ type: 'answer', output: { reply, language: 'en', orderId: 'A001' }, question: null, confidence: 0.9, reason: 'known' });

  it('grows with every piece, whatever the pieces are cut at, and is in the end the reply', () => {
    for (const size of [1, 2, 7, 1_000]) {
      const read = readDrafts(previewSupport);
      const seen: Watched[] = [];
      for (let at = 0; at < decision.length; at += size) {
        seen.push(...read(delta(at, decision.slice(at, at + size))));
        expect(reply.startsWith(shown(seen))).toBe(true);
      }
      expect(shown(seen)).toBe(reply);
      expect(seen.every((each) => each.type === 'delta')).toBe(true);
    }
  });

  it('escapes, fences and words before the JSON do not show', () => {
    const escaped = decision.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const text = `Here it is:\n\`\`\`json\n${escaped}\n\`\`\``;
    const read = readDrafts(previewSupport);
    const seen = Array.from({ length: text.length }, (_, at) => read(delta(at, text[at]!))).flat();
    expect(shown(seen).endsWith(reply)).toBe(true);
    expect(shown(seen)).toBe(reply);
  });

  it('reads a question, a list, plain text; and nothing where there is nothing to read', () => {
    expect(readDraft('decide', '{"type":"ask","output":null,"question":"Which or', () => null)).toBe('Which or');
    expect(readDraft('decide', '{"type":"answer","output":nul', previewSupport)).toBeNull();
    expect(readDraft('decide', '{"type":"answer","outp', previewSupport)).toBeNull();
    expect(readDraft('decide', 'Plain wor', (partial) => (typeof partial === 'string' ? partial : null))).toBe('Plain wor');
    expect(readDraft('review', '{"reply":"Bett', previewSupport)).toBe('Bett');
    expect(readDraft('review', '{"reply":{"not":"text"', previewSupport)).toBeNull();
    expect(readDraft('review', '{"a":1', () => JSON.parse('no') as string)).toBeNull();
    const report = { title: 'Weekly report', items: ['one', 'two'], keyMetrics: 'Key metrics: 3', plan: '' };
    const text = JSON.stringify(report);
    const read = readDrafts(previewWeeklyReport);
    const seen = Array.from({ length: text.length }, (_, at) => read(delta(at, text[at]!, 'review'))).flat();
    expect(seen.every((each) => each.type === 'delta')).toBe(true);
    expect(shown(seen)).toBe(renderWeeklyReportOutput(report));
  });

  it('begins anew with another try', () => {
    const read = readDrafts(previewSupport);
    const seen = [
      ...read(delta(0, '{"output":{"reply":"wrong')),
      ...read({ type: 'delta_end', callKey: 'k', complete: false }),
      ...read({ type: 'delta_reset', callKey: 'k', stage: 'decide', try: 2 }),
      ...read(delta(0, '{"output":{"reply":"right')),
    ];
    expect(shown(seen)).toBe('right');
  });
});
