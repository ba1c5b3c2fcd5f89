import { modelJudge } from '../../../evaluation/judge.ts';

export const POLITE = 'polite_tone';
export const ANSWERS = 'answers_question';

/** What rules can't see. A judge's opinion is soft: it moves the score, and a low one is a correction. */
export const politeness = modelJudge({
  name: 'politeness',
  weight: 4,
  criteria: [
    {
      name: POLITE,
      question:
        "Is the tone polite and right for the customer's mood? An angry or upset customer gets an apology for the trouble first; a worried one is understood; nobody is blamed.",
      weight: 1,
    },
    {
      name: ANSWERS,
      question: "Does the reply answer what the customer asked, or say plainly why it can't be done and what can be done instead? An answer to something else is worst.",
      weight: 2,
    },
  ],
  scale: { min: 0, max: 10 },
  passScore: 7,
  instructions: "The candidate is the reply of an online shop's customer service, in Chinese or English. Facts have been checked by code already: judge tone and relevance only.",
});
