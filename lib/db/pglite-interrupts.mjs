import { importSharedMemory } from './wasm-memory.mjs'

/**
 * Makes running statements of PGlite stoppable from another thread. PostgreSQL regularly checks
 * two flags in its memory and ends the statement with SQLSTATE 57014 when they are set; elsewhere a
 * signal sets them. WebAssembly has no signals, but memory can be shared between threads if its
 * modules ask for that.
 *
 * Call it before PGlite is imported, in a thread of its own: it replaces functions of `WebAssembly`
 * there. Returns a function that finds the flags once a database is open, or null when this build of
 * PGlite does not export them.
 */
export function shareMemory() {
  const { Memory, Module, instantiate } = WebAssembly
  let found = null
  WebAssembly.Memory = new Proxy(Memory, {
    construct: (target, [descriptor]) => new target({ ...descriptor, shared: true }),
  })
  WebAssembly.Module = new Proxy(Module, {
    construct: (target, [bytes]) => new target(importSharedMemory(bytes)),
  })
  WebAssembly.instantiate = async (source, imports) => {
    const isModule = source instanceof Module
    const result = await instantiate(isModule ? source : importSharedMemory(source), imports)
    const { exports } = isModule ? result : result.instance
    // PGlite creates a new folder with separate instances; the database is the last one.
    if (exports.InterruptPending && exports.QueryCancelPending)
      found = {
        buffer: imports.env.memory.buffer,
        interruptPending: exports.InterruptPending.value,
        queryCancelPending: exports.QueryCancelPending.value,
      }
    return result
  }
  return () => found
}
