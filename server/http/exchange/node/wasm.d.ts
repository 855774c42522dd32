/** The part of the WebAssembly interface of Node.js that is used; the types of Node.js leave it to those of browsers. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  function validate(bytes: Uint8Array): boolean;
}

/** llhttp as undici ships it: the bytes of a module. */
declare module 'undici/lib/llhttp/llhttp_simd-wasm.js' {
  const bytes: Buffer;
  export default bytes;
}

declare module 'undici/lib/llhttp/llhttp-wasm.js' {
  const bytes: Buffer;
  export default bytes;
}
