export const phases = {
  starting: 'Starting',
  perceiving: 'Understanding',
  planning: 'Planning',
  deciding: 'Deciding',
  calling_tools: 'Calling tools',
  waiting_for_person: 'Waits for a person',
  reviewing: 'Reviewing',
  evaluating: 'Evaluating',
  correcting: 'Correcting',
  compacting: 'Summarising',
  closing: 'Closing',
  closed: 'Closed',
};
