import type { Texts } from '../index.ts';

export const errors: Texts['errors'] = {
  byCode: {
    unreachable: '网关没有应答。请检查它是否在运行，以及网络是否连通。',
    already_decided: '已有人先做了决定。',
    expired: '已超过期限，这个决定无效。',
    wrong_hash: '你看到的内容与将要执行的不再一致，请重新查看。',
    unknown_approval: '没有这个审批。',
    requester: '这是你自己发起的，须由他人批准。',
    already_voted: '你已经批准过，还需要另一人批准。',
    not_an_approver: '你无权决定此项。',
    task_closed: '任务已结束。',
    audit_unavailable: '决定未能写入审计，因此无效，请重试。',
  },
  byStatus: {
    401: '你还没有登录。',
    403: '你无权这样做。',
    404: '找不到该内容。',
    429: '请求过多，请稍候。',
    500: '网关出错。',
    502: '无法连接网关。',
    503: '网关尚未就绪。',
  },
};
