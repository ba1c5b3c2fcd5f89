import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { termsOf } from '../../../src/memory/terms.ts';

describe('termsOf', () => {
  it('gives single Han characters and pairs, and none across punctuation or other scripts', () => {
    expect(termsOf('部署方案')).toEqual(['部', '部署', '署', '署方', '方', '方案', '案']);
    expect(termsOf('云，端')).toEqual(['云', '端']);
    expect(termsOf('后50条')).toEqual(['后', '条', '50']);
  });

  it('parts ASCII that is glued to Han, whole and by its pieces', () => {
    const terms = termsOf('重跑gen-itgc后50条清零');
    expect(terms).toEqual(expect.arrayContaining(['重跑', 'gen-itgc', 'gen', 'itgc', '50', '清零']));
    expect(terms.filter((term) => /[a-z]/.test(term) && /\p{Script=Han}/u.test(term))).toEqual([]);
  });

  it.each([
    ['KeyError', ['keyerror', 'key', 'error']],
    ['ZeroDivisionError', ['zerodivisionerror', 'zero', 'division', 'error']],
    ['getHTTPResponse2', ['gethttpresponse2', 'get', 'http', 'response']],
    ['order_id', ['order_id', 'order', 'id']],
    ['MAX_RETRY_COUNT', ['max_retry_count', 'max', 'retry', 'count']],
    ['json.loads', ['json.loads', 'json', 'loads']],
    ['A001', ['a001', '001']],
  ])('%s is whole and in its parts', (word, parts) => expect(termsOf(word)).toEqual(parts));

  it('reads full width, case, accents in two pieces and hidden characters alike', () => {
    expect(termsOf('ＫｅｙＥｒｒｏｒ')).toEqual(termsOf('KeyError'));
    expect(termsOf('部\u200B署')).toEqual(termsOf('部署'));
    expect(termsOf('cafe\u0301')).toEqual(termsOf('café'));
    expect(termsOf('ﬁx')).toEqual(['fix']);
  });

  it('ignores emoji, punctuation, single letters and English filler', () => {
    expect(termsOf('🎉🚀 !!! … 「」 "\' x y — of the')).toEqual([]);
    expect(termsOf('部署🚀成功！')).toEqual(['部', '部署', '署', '成', '成功', '功']);
  });

  it('finds words of Japanese and Korean too', () => {
    expect(termsOf('サーバー')).toContain('サー');
    expect(termsOf('서버 오류')).toEqual(['서버', '오류']);
  });

  it('is bounded and quick on any text', () => {
    const began = performance.now();
    for (const text of [
      'a'.repeat(3_000_000),
      'aB'.repeat(1_000_000),
      '部'.repeat(1_000_000),
      'a-'.repeat(1_000_000),
      Array.from({ length: 50_000 }, (_, index) => `word${index}`).join(' '),
    ]) {
      expect(termsOf(text).length).toBeLessThanOrEqual(256);
    }
    expect(performance.now() - began).toBeLessThan(2_000);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
        const terms = termsOf(text);
        expect(new Set(terms).size).toBe(terms.length);
        expect(terms.every((term) => term.length <= 64 && term === term.toLowerCase() && !/[\s\p{P}]/u.test(term.replaceAll(/[-_.]/g, '')))).toBe(true);
      }),
    );
  });
});
