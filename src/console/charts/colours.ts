/** Colours of the page as a canvas needs them: a canvas knows no CSS variables. */

/** As many series as there are colours that can be told apart. */
export const SERIES_COLOURS = 6;

export interface ChartColours {
  series: string[];
  text: string;
  grid: string;
  surface: string;
}

/** The colours as they are now, light or dark. */
export function chartColours(element: Element): ChartColours {
  // Only the colour of a real element comes out resolved; a variable's value is the text of its definition.
  const probe = document.createElement('span');
  element.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    series: Array.from({ length: SERIES_COLOURS }, (_, index) => read(`--chart-${index + 1}`)),
    text: read('--muted'),
    grid: read('--line'),
    surface: read('--surface'),
  };
  probe.remove();
  return colours;
}
