import { closingTexts } from '../closing-texts.ts';

/** Said when there is no report to give. */
export const weeklyReportClosingText = closingTexts({
  open: {
    zh: '这份周报没有达到要求，因此没有交付。最好的一稿和未解决的问题都已记录，供人工查看和修改。',
    en: 'The weekly report did not meet its requirements, so it is not delivered. The best draft and what is wrong with it are on record for a person to look at and change.',
  },
  technical: {
    zh: '由于系统原因，目前无法生成周报。请稍后再试。',
    en: 'For a technical reason the weekly report cannot be written at the moment. Please try again later.',
  },
  declined: {
    zh: '无法根据这些内容生成周报。请检查工作事项后重新提交。',
    en: 'A weekly report cannot be written from this content. Please check the work items and send them again.',
  },
  quality_reached: { zh: '周报已完成，见上文。', en: 'The weekly report is done; it is above.' },
  accepted_by_person: { zh: '周报已由审核人确认，见上文。', en: 'The weekly report was accepted by an approver; it is above.' },
  answered_by_person: { zh: '周报已由审核人撰写，见上文。', en: 'The weekly report was written by an approver; it is above.' },
  asked_for_person: { zh: '这份周报需要人工处理。已有内容都已记录。', en: 'This weekly report needs a person. What there is so far is on record.' },
  question_unanswered: { zh: '没有收到所需的信息，因此没有生成周报。', en: 'The information that was asked for did not come, so no weekly report was written.' },
  rejected_by_person: { zh: '审核人没有通过这份周报，因此没有交付。', en: 'An approver did not accept the weekly report, so it is not delivered.' },
  cancelled: { zh: '周报的撰写已被取消。', en: 'The writing of the weekly report was cancelled.' },
  invalid_input: { zh: '周报的输入无法读取。请检查后重新提交。', en: 'The input of the weekly report could not be read. Please check it and send it again.' },
});
