/** What a system prompt says that earlier tasks taught, for models that heed it. */

export interface ReadRule {
  id: string;
  text: string;
}

/** A few-shot pair: what an attempt did, and what was right. */
export interface ReadExample {
  id: string;
  situation: string;
  wrong: string;
  right: string;
}

export interface Learned {
  rules: ReadRule[];
  examples: ReadExample[];
}

const RULE = /^- \[rule ([^\]\s]+)\] (.+)$/gm;
const EXAMPLE = /<example id="([^"]+)">([\s\S]*?)<\/example>/g;

/** Rules and examples of a system prompt, in their order; none is treated by its id. */
export function readLearned(system: string): Learned {
  return {
    rules: [...system.matchAll(RULE)].map(([, id = '', text = '']) => ({ id, text: text.trim() })),
    examples: [...system.matchAll(EXAMPLE)].map(([, id = '', body = '']) => ({ id, situation: part(body, 'situation'), wrong: part(body, 'wrong'), right: part(body, 'right') })),
  };
}

function part(body: string, name: string): string {
  return (new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(body)?.[1] ?? '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').trim();
}
