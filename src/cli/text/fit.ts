import Table from 'cli-table3';
import { Safe } from './safe.ts';

/** The line cut to a number of terminal columns: colours take none, Chinese characters two. */
export function fitTo(line: Safe, columns: number): Safe {
  const table = new Table({ chars: BARE, style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 }, colWidths: [columns] });
  table.push([line.text]);
  return Safe.fromVisible(table.toString().trimEnd());
}

/** A table without lines. */
export const BARE = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};
