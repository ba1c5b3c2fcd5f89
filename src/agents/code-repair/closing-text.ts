import { closingTexts } from '../closing-texts.ts';

/** Said when there is no code to give. */
export const codeRepairClosingText = closingTexts({
  open: {
    zh: '这段代码没有通过运行检验，因此没有交付。最好的一版、每次运行的结果和失败原因都已记录，供人工查看。',
    en: 'The code did not pass its run, so it is not delivered. The best version, the result of every run and what failed are on record for a person to look at.',
  },
  technical: {
    zh: '由于系统原因，目前无法处理这段代码。请稍后再试。',
    en: 'For a technical reason the code cannot be worked on at the moment. Please try again later.',
  },
  declined: { zh: '无法为这个任务编写代码。请检查任务后重新提交。', en: 'Code cannot be written for this task. Please check the task and send it again.' },
  quality_reached: { zh: '代码已通过运行检验，见上文。', en: 'The code passed its run; it is above.' },
  accepted_by_person: { zh: '代码已由审核人确认，见上文。', en: 'The code was accepted by a person; it is above.' },
  answered_by_person: { zh: '代码已由人工编写，见上文。', en: 'The code was written by a person; it is above.' },
  asked_for_person: { zh: '这个任务需要人工处理。已有内容都已记录。', en: 'This task needs a person. What there is so far is on record.' },
  question_unanswered: { zh: '没有收到所需的信息，因此没有编写代码。', en: 'The information that was asked for did not come, so no code was written.' },
  rejected_by_person: { zh: '审核人没有通过这段代码，因此没有交付。', en: 'A person did not accept the code, so it is not delivered.' },
  cancelled: { zh: '代码的编写已被取消。', en: 'The work on the code was cancelled.' },
  invalid_input: { zh: '任务的输入无法读取。请检查后重新提交。', en: 'The input of the task could not be read. Please check it and send it again.' },
});
