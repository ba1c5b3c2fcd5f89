/** Knowledge: documents, and the chunks that they are found by. Free of zod. */

/** How the text of a document is read. */
export const DOCUMENT_FORMATS = ['markdown', 'text', 'html'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** A document as somebody gives it. */
export interface GivenDocument {
  tenant: string;
  /** The only agent that is shown it; null: every agent that asks for knowledge. */
  agent: string | null;
  /** The same name again is a new version. */
  name: string;
  format: DocumentFormat;
  text: string;
  addedBy: string;
  /** How whoever adds it is known, for the audit. Default: `local`. */
  via?: string;
}

/** A piece of a document, before it is stored. */
export interface ChunkText {
  /** Headings that it stands under, outermost first; empty: none. */
  headings: string[];
  text: string;
  tokens: number;
}

/** A chunk that was found, with what is needed to cite it. */
export interface FoundChunk {
  chunkId: string;
  documentId: string;
  document: string;
  title: string;
  /** Of the document as it is now. */
  version: number;
  heading: string;
  text: string;
  previousId: string | null;
  nextId: string | null;
  score: number;
}

/** What adding a document changed. */
export interface DocumentChange {
  documentId: string;
  version: number;
  /** Chunks that are as they were: their ids and vectors stay. */
  kept: number;
  added: number;
  expired: number;
  /** Texts whose vectors were made. */
  embedded: number;
  /** Rules that cite a chunk that expired now: `ruleId@version`. */
  rulesCiting: string[];
}
