import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { streamXlsxRows } from 'hucre/xlsx'

/**
 * Reads one sheet of a workbook in a thread of its own, whose memory is limited. Posts `{ rows }` in batches and `{ done }`
 * or `{ fault }`. It stops, as a thread, while too many batches are not taken: the parser would run on and keep all rows.
 */
const BATCH_ROWS = 1_000
const BATCH_CHARS = 512 * 1024
const AHEAD = 2
/** Many cells may share one long text. */
const MAX_ROW_CHARS = 4 * 1024 * 1024
const MAX_CHARS = 2 * 1024 * 1024 * 1024

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

/** @param {unknown[]} values */
const charsOf = (values) =>
  values.reduce(
    (/** @type {number} */ sum, value) => sum + (typeof value === 'string' ? value.length : 8),
    0,
  )

try {
  /** @type {unknown[][]} */
  let rows = []
  let [chars, all] = [0, 0]
  const options = sheet === undefined ? {} : { sheet }
  for await (const { index, values } of streamXlsxRows(
    new Uint8Array(readFileSync(path)),
    options,
  )) {
    const size = charsOf(values)
    chars += size
    all += size
    if (size > MAX_ROW_CHARS) throw new Error(`row ${index + 1} holds too much text`)
    if (all > MAX_CHARS) throw new Error('its cells hold too much text')
    rows.push(values)
    if (rows.length < BATCH_ROWS && chars < BATCH_CHARS) continue
    post(rows)
    rows = []
    chars = 0
  }
  if (rows.length > 0) post(rows)
  parentPort?.postMessage({ done: true })
} catch (error) {
  parentPort?.postMessage({ fault: error instanceof Error ? error.message : String(error) })
}
