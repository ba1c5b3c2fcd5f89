import type { Texts } from '../index.ts';

export const signIn: Texts['signIn'] = {
  title: '登录',
  signingIn: '正在登录…',
  needsLink: '控制台通过一次性登录链接打开。',
  ended: '会话已结束。请用新的登录链接继续。',
  howDevelopment: '开发环境中，`npm run dev` 启动时会打印一个链接。',
  howCommand: '在运行 Loopwright 的机器上，用此命令生成新链接：',
  badLink: '这个链接无法使用',
  badLinkHint: '链接只能用一次且很快过期：它可能已被使用、已过期，或复制时不完整。',
  signedInAs: (who) => `已登录：${who}`,
};
