import { closingTexts } from '../closing-texts.ts';

/** Said when the agent's own reply can't be given. */
export const supportClosingText = closingTexts({
  open: {
    zh: '您好，很抱歉，这次我没能把您的问题处理完整，因此没有给出答复。您的问题和已查到的信息都已记录，供人工客服查看。您也可以回复此消息或联系人工客服。',
    en: 'Hello, I am sorry: I could not settle your question completely, so I am not giving you an answer I cannot stand behind. Your question and what was found are on record for our staff. You can also reply to this message or contact our staff directly.',
  },
  technical: {
    zh: '您好，很抱歉，由于系统原因，目前无法处理您的问题。请稍后再试，或联系人工客服。',
    en: 'Hello, I am sorry: for a technical reason your question cannot be handled at the moment. Please try again later or contact our staff.',
  },
  declined: {
    zh: '您好，很抱歉，我无法就这个问题给出答复。请换一种方式描述您的问题，或联系人工客服。',
    en: 'Hello, I am sorry: I cannot give an answer to this. Please put your question in other words or contact our staff.',
  },
  quality_reached: { zh: '您好，您的问题已处理完毕，结果见上文。', en: 'Hello, your question has been dealt with; the result is above.' },
  accepted_by_person: { zh: '您好，您的问题已由工作人员确认，结果见上文。', en: 'Hello, our staff confirmed the answer to your question; it is above.' },
  answered_by_person: { zh: '您好，您的问题已由工作人员答复，内容见上文。', en: 'Hello, our staff answered your question; the answer is above.' },
  asked_for_person: {
    zh: '您好，这个问题需要人工客服处理。您的问题和已查到的信息都已记录，供人工客服查看，无需重复说明。',
    en: 'Hello, this needs a member of our staff. Your question and what was found are on record for them, so you need not explain it again.',
  },
  question_unanswered: {
    zh: '您好，我们没有收到您对上一个问题的答复，因此无法继续处理。您可以随时带上订单号再次联系我们。',
    en: 'Hello, we did not get your answer to our question, so we could not go on. Please write to us again with your order number whenever you like.',
  },
  rejected_by_person: {
    zh: '您好，很抱歉，您的请求经工作人员审核后未获批准，因此没有执行。如有疑问，请联系人工客服。',
    en: 'Hello, I am sorry: our staff reviewed your request and did not approve it, so it was not carried out. Please contact our staff if you have questions.',
  },
  indeterminate_side_effect: {
    zh: '您好，很抱歉，目前无法确认您请求的操作是否已完成。为避免重复操作，请勿再次提交；情况已记录，供人工客服核实。',
    en: 'Hello, I am sorry: it is not certain at the moment whether what you asked for was carried out. Please do not ask for it again, so that it is not done twice; it is on record for our staff to check.',
  },
  cancelled: {
    zh: '您好，这次处理已被取消。取消之前已完成的操作仍然有效。如仍需帮助，请再次联系我们。',
    en: 'Hello, the handling of your question was cancelled. What had been done before stays done. Please write to us again if you still need help.',
  },
  invalid_input: { zh: '您好，很抱歉，您的消息无法读取。请检查内容后重新发送。', en: 'Hello, I am sorry: your message could not be read. Please check it and send it again.' },
});
