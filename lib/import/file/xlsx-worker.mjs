import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { streamXlsxRows } from 'hucre/xlsx'

/**
 * Reads one sheet of a workbook in a thread of its own, whose memory is limited. Posts `{ rows }` in batches and `{ done }`
 * or `{ fault }`. It stops, as a thread, while too many batches are not taken: the parser would run on and keep all rows.
 */
const BATCH_ROWS = 1_000
const AHEAD = 2

const { path, sheet, signals } =
  /** @type {{ path: string, sheet?: string, signals: SharedArrayBuffer }} */ (workerData)
const taken = new Int32Array(signals)
let posted = 0

/** @param {unknown[][]} rows */
function post(rows) {
  parentPort?.postMessage({ rows })
  posted++
  for (;;) {
    const seen = Atomics.load(taken, 0)
    if (posted - seen < AHEAD) return
    Atomics.wait(taken, 0, seen)
  }
}

try {
  /** @type {unknown[][]} */
  let rows = []
  const options = sheet === undefined ? {} : { sheet }
  for await (const { values } of streamXlsxRows(new Uint8Array(readFileSync(path)), options)) {
    rows.push(values)
    if (rows.length < BATCH_ROWS) continue
    post(rows)
    rows = []
  }
  if (rows.length > 0) post(rows)
  parentPort?.postMessage({ done: true })
} catch (error) {
  parentPort?.postMessage({ fault: error instanceof Error ? error.message : String(error) })
}
