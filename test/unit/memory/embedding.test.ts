import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosine, createHashedEmbedder } from '../../../src/memory/embedding.ts';

const embedder = createHashedEmbedder();

describe('hashed embedding', () => {
  it('gives unit vectors of 512, the same each time, of whatever text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        const [first, second] = await embedder.embed([text, text]);
        expect(first).toHaveLength(512);
        expect(second).toEqual(first);
        const length = Math.sqrt(cosine(first!, first!));
        expect(length === 0 || Math.abs(length - 1) < 1e-9).toBe(true);
      }),
    );
  });

  it('gives each text its own vector, whatever stands beside it', async () => {
    const texts = ['退款申请', 'refund', '', '🙂'];
    const together = await embedder.embed(texts);
    expect(together).toEqual(await Promise.all(texts.map(async (text) => (await embedder.embed([text]))[0])));
    expect(together[2]!.every((value) => value === 0)).toBe(true);
  });

  it('finds the text about the same thing nearest, in Chinese, English and both', async () => {
    const pairs = [
      ['客户要求退款，订单已经签收', '订单签收后客户申请退款'],
      ['The refund was declined because the order is too old', 'Declining refunds of old orders'],
      ['生成周报时缺少上周的销售数据', '周报没有上周销售数据'],
      ['KeyError when the dictionary is empty', 'empty dictionaries raise a KeyError'],
      ['gen-itgc 计税方法 一般纳税人', '一般纳税人的计税方法（gen-itgc）'],
      ['Binary search loops forever when the item is absent', 'binary search never ends for an absent item'],
    ] as const;
    const left = await embedder.embed(pairs.map(([first]) => first));
    const right = await embedder.embed(pairs.map(([, second]) => second));
    for (const [index, vector] of left.entries()) {
      const similarities = right.map((other) => cosine(vector, other));
      expect(similarities.indexOf(Math.max(...similarities)), pairs[index]![0]).toBe(index);
    }
  });

  it('reads full-width characters and letter case alike', async () => {
    const [first, second] = await embedder.embed(['ＲＥＦＵＮＤ　１２', 'refund 12']);
    expect(cosine(first!, second!)).toBeCloseTo(1, 9);
  });

  it('refuses to compare vectors of two embedders', () => {
    expect(() => cosine([1], [1, 0])).toThrow(RangeError);
  });
});
