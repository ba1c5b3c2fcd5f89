export const overview = { title: 'Overview' };
