/** Bytes of a response body that are read, and characters of an answer that is streamed; a longer one ends the call. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Of a stream, where some 300 bytes of framing come with each token: enough for 200,000 of them. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;
/** Bytes of an error's body that are read: enough for the message and its hints. */
const MAX_ERROR_BYTES = 64 * 1024;

/** What was seen of a response, whatever became of it. */
export interface Observed {
  status: number | null;
  headers: Headers | null;
  contentType: string;
  receivedBytes: number;
  /** Of a response that was too large: what it said or had reached, bytes. */
  tooLarge: number | null;
  /** Of an error status: its text, cut. */
  errorText: string;
}

export function newObserved(): Observed {
  return { status: null, headers: null, contentType: '', receivedBytes: 0, tooLarge: null, errorText: '' };
}

/** A fetch that counts and limits the body, and keeps an error's text and headers for hints that the client drops. */
export function boundedFetch(observed: Observed): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    observed.status = response.status;
    observed.headers = response.headers;
    observed.contentType = response.headers.get('content-type') ?? '';
    if (!response.ok) {
      observed.errorText = await readStart(response, MAX_ERROR_BYTES);
      return new Response(observed.errorText, { status: response.status, headers: response.headers });
    }
    const stated = Number(response.headers.get('content-length'));
    if (stated > MAX_RESPONSE_BYTES) {
      observed.tooLarge = stated;
      await response.body?.cancel();
      throw new Error('response too large');
    }
    if (!response.body) return response;
    return new Response(response.body.pipeThrough(counter(observed)), { status: response.status, headers: response.headers });
  };
}

function counter(observed: Observed): TransformStream<Uint8Array, Uint8Array> {
  const limit = /^text\/event-stream/i.test(observed.contentType) ? MAX_STREAM_BYTES : MAX_RESPONSE_BYTES;
  return new TransformStream({
    transform(chunk, controller) {
      observed.receivedBytes += chunk.byteLength;
      if (observed.receivedBytes <= limit) return controller.enqueue(chunk);
      observed.tooLarge = observed.receivedBytes;
      // Errors the reader and cancels the source, which closes the socket.
      controller.error(new Error('response too large'));
    },
  });
}

async function readStart(response: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      if (bytes >= limit) break;
    }
  } catch {
    // A status with half a body is still that status.
  }
  return text;
}
