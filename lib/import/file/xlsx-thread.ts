import { once } from 'node:events'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { currentBudget } from '@/lib/db/budget'
import { giveUpInTime } from '@/lib/db/give-up'
import { FileFault } from './file-fault'
import type { Cell } from './source'

type Message = { rows: Cell[][] } | { done: true } | { fault: string }

/** The texts of all cells of a workbook are in memory while it is read. */
const MAX_HEAP_MB = 512

/**
 * The rows of one sheet, by default the first, in batches. Throws `FileFault`. The end of the current budget, or of the
 * reading, ends the thread.
 */
export async function* xlsxRows(path: string, sheet: string | undefined): AsyncGenerator<Cell[][]> {
  const signals = new SharedArrayBuffer(4)
  const taken = new Int32Array(signals)
  const worker = new Worker(workerPath(), {
    workerData: { path, sheet, signals },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    execArgv: [],
    env: {},
  })
  const messages: Message[] = []
  worker.on('message', (message: Message) => messages.push(message))
  let failure: unknown = null
  worker.on('error', (error) => {
    failure = error
  })
  try {
    for (;;) {
      if (messages.length === 0 && failure === null)
        await giveUpInTime(someMessage(worker), currentBudget(), () => void worker.terminate())
      const message = messages.shift()
      if (!message) throw failure === null ? new FileFault(BROKEN) : faultOf(failure)
      if ('done' in message) return
      if ('fault' in message) throw new FileFault(`The workbook can't be read: ${message.fault}`)
      yield message.rows
      Atomics.add(taken, 0, 1)
      Atomics.notify(taken, 0)
    }
  } finally {
    await worker.terminate()
  }
}

async function someMessage(worker: Worker): Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  try {
    await Promise.race([once(worker, 'message', { signal }), once(worker, 'exit', { signal })])
  } catch {
    // What went wrong has been noted.
  } finally {
    stop.abort()
  }
}

const faultOf = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new FileFault('The workbook takes too much memory; save the sheet as CSV')
    : error

const BROKEN = 'The workbook ended before its end'

// By a path that bundlers don't follow: the file runs as it is, in a build too (see next.config.mjs).
const workerPath = () =>
  resolve(/* turbopackIgnore: true */ process.cwd(), 'lib/import/file/xlsx-worker.mjs')
