export const tasks = { title: 'Tasks' };
