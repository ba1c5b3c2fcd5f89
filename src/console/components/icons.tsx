/** Line icons of 16 px that take the colour of the text. */

const shapes = {
  inbox: 'M2.5 9.5h3l1 2h3l1-2h3M2.5 9.5v3a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-3m-11 0 1.8-6a1 1 0 0 1 1-.7h5.400a1 1 0 0 1 1 .7l1.8 6',
  tasks: 'M2.5 4.500l1 1 2-2.200M2.5 11l1 1 2-2.200M8 4.500h5.500M8 11h5.5',
  overview: 'M2.5 13.500v-4M6.2 13.500v-8M9.8 13.500v-6M13.5 13.500v-11',
  agents: 'M8 2v2M4.5 4h7a1.5 1.5 0 0 1 1.5 1.500v5a1.5 1.5 0 0 1-1.5 1.500h-7A1.5 1.5 0 0 1 3 10.500v-5A1.5 1.5 0 0 1 4.5 4ZM6 7.500v1M10 7.500v1M6 14h4',
  chat: 'M2.5 3.500h11v7.500h-6l-3 2.500v-2.500h-2z',
  report: 'M3.5 2.500h9v11h-9zM6 6h4M6 8.500h4M6 11h2.5',
  rules: 'M3 3.500h2M3 8h2M3 12.500h2M7.500 3.500h5.500M7.500 8h5.500M7.500 12.500h5.500',
  reviews: 'M2 8c1.600-2.700 3.600-4 6-4s4.400 1.300 6 4c-1.600 2.700-3.600 4-6 4s-4.400-1.300-6-4zM8 9.800a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600z',
  menu: 'M2.5 4.500h11M2.5 8h11M2.5 11.500h11',
  close: 'M4 4l8 8M12 4l-8 8',
  warning: 'M8 2.5 14 13H2zM8 6.500v3M8 11.200v.1',
  check: 'M3 8.500l3.2 3L13 4.5',
  clock: 'M8 2.200a5.8 5.8 0 1 0 0 11.6 5.8 5.8 0 0 0 0-11.600zM8 5v3.200l2.2 1.3',
  person: 'M8 8a2.7 2.7 0 1 0 0-5.400A2.7 2.7 0 0 0 8 8zM3 13.500c.6-2.3 2.5-3.5 5-3.500s4.4 1.2 5 3.5',
  copy: 'M5.5 5.500v-3h8v8h-3M2.5 5.500h8v8h-8z',
  open: 'M6 3H3v10h10v-3M9 3h4v4M13 3 7.5 8.5',
  chevron: 'M6 4l4 4-4 4',
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
