import type { Texts } from '../index.ts';

export const form: Texts['form'] = {
  add: (name) => `添加 ${name}`,
  remove: (name) => `移除 ${name}`,
  noValue: '无值（null），点此设置',
  problems: {
    not_a_number: '请填写数字，例如 12.5。',
    not_json: '还不是有效的 JSON。',
    not_whole: '请填写整数。',
    required: '此项必填。',
    choose: '请选择一项。',
  },
  atLeast: (value) => `不小于 ${value}。`,
  above: (value) => `须大于 ${value}。`,
  atMost: (value) => `不大于 ${value}。`,
  below: (value) => `须小于 ${value}。`,
  shortest: (count) => `至少 ${count} 个字符。`,
  longest: (count) => `最多 ${count} 个字符。`,
  pattern: (pattern) => `须符合格式 ${pattern}`,
};
