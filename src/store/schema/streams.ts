/** Texts of models that still write. */
import type { DefaultTime } from './columns.ts';

export interface StreamChunkTable {
  taskId: string;
  callKey: string;
  stage: string;
  try: number;
  position: number;
  text: string;
  at: DefaultTime;
}
