export const agents = { title: 'Agents' };
