import type { Texts } from '../index.ts';

export const chat: Texts['chat'] = {
  title: '对话',
  conversations: '对话列表',
  agent: '智能体',
  start: '新对话',
  untitled: '新对话',
  chooseTitle: '未选择对话',
  chooseHint: '请在左侧选择，或与某个智能体开始新对话。',
  back: '← 全部对话',
  messages: '消息',
  empty: '请说明需求。智能体会在此答复，也可能反问。',
  roles: { user: '你', assistant: '智能体' },
  working: '处理中…',
  interrupted: '已中断，不完整',
  openTask: '查看任务',
  question: '智能体提问：',
  answer: '你的答复',
  sendAnswer: '答复',
  message: '消息',
  tellMore: '为正在处理的任务补充信息',
  send: '发送',
};
