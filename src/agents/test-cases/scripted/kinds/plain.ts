import type { Kind } from '../kind.ts';

/** For requirements that nothing is known about: a value made from the point's own words, and the point itself as what must hold. */
export function plainKind(requirement: string, language: 'zh' | 'en'): Kind {
  const bound = Number(/(?:at most|up to|no more than|maximum of|不超过|最多|至多)\s*(\d+)/i.exec(requirement)?.[1] ?? 40);
  const say = (zh: string, en: string): string => (language === 'zh' ? zh : en);
  return {
    forPoint: (point, index) => ({ data: { value: valueFor(point, index), role: 'member' }, expected: say(`满足：${point}`, `It holds that: ${point}`) }),
    boundary: (boundary) => {
      switch (boundary) {
        case 'empty':
          return { data: { value: '', role: 'member' }, expected: say('提示不能为空，不保存', 'refused: the value is empty, nothing is stored') };
        case 'negative':
          return { data: { value: '-1', role: 'member' }, expected: say('提示数值无效，不保存', 'refused: the value is negative, nothing is stored') };
        case 'maximum':
          return { data: { value: 'x'.repeat(bound), role: 'member' }, expected: say(`接受，长度 ${bound}`, `accepted with its whole length of ${bound}`) };
        case 'wrong_type':
          return { data: { value: true, role: 'member' }, expected: say('提示类型错误，不保存', 'refused: the value is no text, nothing is stored') };
        case 'permission':
          return { data: { value: 'abc', role: 'guest' }, expected: say('拒绝：没有权限（403），不保存', 'refused: not allowed for this role (403), nothing is stored') };
      }
    },
  };
}

/** A quoted text of the point, or its longest word with the point's number: something that fits and is not used twice. */
function valueFor(point: string, index: number): string {
  const quoted = /["“「`]([^"”」`]{1,60})["”」`]/.exec(point)?.[1];
  const longest = (point.match(/\p{Script=Han}{2,4}|[A-Za-z]{3,20}/gu) ?? ['value']).toSorted((a, b) => b.length - a.length)[0]!;
  return quoted === undefined ? `${longest} ${String.fromCodePoint(97 + (index % 26))}` : quoted;
}
