/** The part of WebAssembly that is used here: its types come with the DOM's, which a server has no use for. */
declare namespace WebAssembly {
  type Module = object;
  class Memory {
    /** In pages of 64 KiB. */
    constructor(size: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
  }
  function compile(bytes: ArrayBuffer | Uint8Array): Promise<Module>;
}
