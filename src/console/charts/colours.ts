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
  const read = (name: string): string => {
    // Another one for each: one that changed its colour could be in a transition.
    const probe = document.createElement('span');
    probe.style.color = `var(${name})`;
    element.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  return {
    series: Array.from({ length: SERIES_COLOURS }, (_, index) => read(`--chart-${index + 1}`)),
    text: read('--muted'),
    grid: read('--line'),
    surface: read('--surface'),
  };
}
