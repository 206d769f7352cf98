import { parentPort } from 'node:worker_threads'
import { RecordScanner, ScanError } from './record-scanner.mjs'

/**
 * Runs in a worker thread, so that large texts take neither time nor memory of the server's thread.
 * Takes `{ limits, parses }` to begin a text, `{ piece }` for its next bytes and `{}` at its end; replies to
 * each with `{ slices }` (whose text is valid JSON if it `parses`) or `{ fault }`.
 */
/** @type {RecordScanner | undefined} */
let scanner

parentPort?.on('message', ({ limits, parses, piece }) => {
  try {
    if (limits) scanner = new RecordScanner(limits, { parses })
    const found = limits ? [] : ((piece ? scanner?.push(piece) : scanner?.end()) ?? [])
    const slices = Array.from(found, ({ text, isExact }) => ({ text, isExact }))
    parentPort?.postMessage({ slices })
  } catch (error) {
    if (!(error instanceof ScanError)) throw error
    scanner = undefined
    parentPort?.postMessage({ fault: error.fault })
  }
})
