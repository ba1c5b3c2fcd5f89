export const charts = { asTable: 'Numbers as a table', others: 'Others' };
