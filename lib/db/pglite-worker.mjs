/**
 * The thread in which the embedded database runs: in the main thread, statements would block the
 * server. Receives messages of PostgreSQL's wire protocol and posts the responses. A plain file,
 * since threads start from files and not from bundles.
 */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'
import zlib from 'node:zlib'
import { shareMemory } from './pglite-interrupts.mjs'

/** The most bytes per message; larger results are posted in parts. */
const PART_BYTES = 256 * 1024
const gunzip = promisify(zlib.gunzip)
const READY_FOR_QUERY = 'Z'.charCodeAt(0)
/** The error by which PGlite lets PostgreSQL's error handling leave WebAssembly. */
const LONG_JUMP = 100

/** Its own are 160 MiB, all of it resident from the start; the system's file cache is behind them. */
const MEMORY = ['-c', 'shared_buffers=32MB']

/** What the file system in PGlite says, by the number of its error. */
const FILE_ERRORS = {
  2: 'permission denied',
  19: 'disk quota exceeded',
  29: 'input/output error',
  41: 'too many open files',
  51: 'no space left on the disk',
  63: 'operation not permitted',
  69: 'the file system is read-only',
}

/** PostgreSQL's last message before it stopped: the error thrown afterwards has none. */
let lastWords = ''
const findFlags = shareMemory()
const { database, flags } = await open().catch((error) => end('failed', error))
const memory = flags && new Int32Array(flags.buffer)
let wasReady = true

parentPort.postMessage({ kind: 'open', flags })
parentPort.on('message', (message) => (message === 'close' ? close() : run(message)))

async function open() {
  const { PGlite } = await import('@electric-sql/pglite')
  const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm')
  const { dataDir, image, isDurable } = workerData
  const durable = isDurable && dataDir ? await import('./pglite-durable.mjs') : null
  const options = durable ? durable.durableOptions(dataDir) : dataDir ? { dataDir } : {}
  const database = await PGlite.create({
    ...options,
    startParams: [...(options.startParams ?? PGlite.defaultStartParams), ...MEMORY],
    ...(image ? { loadDataDir: new Blob([await contentOf(image)]) } : {}),
    extensions: { pg_trgm },
    onStderr: (line) => {
      lastWords = /(?:PANIC|FATAL): +(.*)/.exec(line)?.[1] ?? lastWords
      return false
    },
  })
  endWhenBroken(database.Module)
  durable?.syncFolder(dataDir)
  await database.exec(`set timezone to 'UTC'`)
  return { database, flags: findFlags() }
}

async function contentOf(image) {
  const content = await readFile(image)
  return image.endsWith('.gz') ? gunzip(content) : content
}

/**
 * After a panic of PostgreSQL (such as a full disk), PGlite keeps running without ever responding.
 * Here the thread ends instead, so that the database can be reopened.
 */
function endWhenBroken(module) {
  const mainLoop = module._PostgresMainLoopOnce
  module._PostgresMainLoopOnce = () => {
    try {
      return mainLoop()
    } catch (error) {
      if (error?.status !== LONG_JUMP) end('broken', error)
      throw error
    }
  }
}

function run(message) {
  // A pending interrupt must not stop a new statement.
  if (wasReady && memory) setFlags(0)
  const parts = []
  let size = 0
  const onRawData = (bytes) => {
    parts.push(bytes.slice()) // the database reuses that memory
    size += bytes.length
    if (size < PART_BYTES) return
    post(parts)
    size = 0
  }
  const done = database.execProtocolRawStream(message, { syncToFs: false, onRawData })
  wasReady = parts.at(-1)?.at(-6) === READY_FOR_QUERY
  post(parts)
  done.catch((error) => end('broken', error))
}

function setFlags(value) {
  Atomics.store(memory, flags.queryCancelPending >> 2, value)
  Atomics.store(memory, flags.interruptPending >> 2, value)
}

/** Posts the parts as one and empties the list. */
function post(parts) {
  if (parts.length === 0) return
  const bytes = parts.length === 1 ? parts[0] : new Uint8Array(Buffer.concat(parts))
  parts.length = 0
  parentPort.postMessage(bytes, [bytes.buffer])
}

async function close() {
  await database.close().catch((error) => end('broken', error))
  parentPort.close()
}

function end(kind, error) {
  parentPort.postMessage({ kind, reason: lastWords || reasonOf(error) })
  process.exit(1)
}

/** The file system in PGlite throws objects with nothing but a WASI error number. */
function reasonOf(error) {
  if (typeof error?.errno === 'number')
    return FILE_ERRORS[error.errno] ?? `file error ${error.errno}`
  return error instanceof Error ? error.message : (error?.message ?? String(error))
}
