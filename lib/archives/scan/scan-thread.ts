import { once } from 'node:events'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { currentBudget, giveUpInTime } from '@/lib/db/budget'
import { FileFailure } from '../plugin-file'
import { ScanError, type ScanFault, type ScanLimits, type Slice } from './record-scanner.mjs'

export type Scanned = Pick<Slice, 'text' | 'isExact'>
type Message = { limits?: ScanLimits; parses?: boolean; piece?: Uint8Array<ArrayBuffer> }
type Reply = { slices: Scanned[]; fault?: undefined } | { fault: ScanFault }

/** More than any record within the limits takes. */
const MAX_HEAP_MB = 256
/** A thread takes 50 ms to start and some MiB of memory. */
const KEPT_MS = 10_000

const idle = new Set<ScanThread>()

/** A thread that scans one text at a time; see `scan-worker.mjs`. */
class ScanThread {
  private readonly worker = new Worker(workerPath(), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    execArgv: [],
    env: {},
  })
  private timer: NodeJS.Timeout | undefined
  private isDead = false

  constructor() {
    this.worker.unref()
    const die = () => {
      this.isDead = true
      idle.delete(this)
    }
    this.worker.on('error', die).on('exit', die)
  }

  static take(): ScanThread {
    const [kept] = idle
    if (!kept) return new ScanThread()
    idle.delete(kept)
    clearTimeout(kept.timer)
    return kept
  }

  /** Keeps the thread for the next text. It must have replied to everything. */
  release(): void {
    if (this.isDead) return
    idle.add(this)
    this.timer = setTimeout(() => this.end(), KEPT_MS).unref()
  }

  /** Stops the thread immediately; pending requests get no reply. */
  end(): void {
    this.isDead = true
    idle.delete(this)
    void this.worker.terminate()
  }

  get isEnded(): boolean {
    return this.isDead
  }

  async ask(message: Message): Promise<Scanned[]> {
    const { piece } = message
    this.worker.ref()
    try {
      this.worker.postMessage(message, piece ? [piece.buffer] : [])
      const [reply] = (await once(this.worker, 'message')) as [Reply]
      if (reply.fault) throw new ScanError(reply.fault)
      return reply.slices
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : error
    } finally {
      this.worker.unref()
    }
  }
}

// By a path that bundlers don't follow: the file runs as it is, in a build too (see next.config.mjs).
const workerPath = () =>
  resolve(/* turbopackIgnore: true */ process.cwd(), 'lib/archives/scan/scan-worker.mjs')

const tooMuch = () =>
  new FileFailure('Invalid record', [
    { message: 'A record takes more memory to read than one file may take; make it smaller' },
  ])

const PIECE_BYTES = 512 * 1024

/** The slices of a text that is in memory; see `scanPieces`. */
export const scanInThread = (
  bytes: Uint8Array,
  limits: ScanLimits,
  options: { parses: boolean },
): AsyncGenerator<Scanned> => scanPieces(piecesOf(bytes), limits, options)

const begun = new WeakMap<Uint8Array, AsyncGenerator<Scanned>>()

/**
 * Begins to scan a text, for the first call of `scanBegun` with the same bytes. Returns a function that ends this if there was
 * none.
 */
export function beginScan(bytes: Uint8Array, limits: ScanLimits): () => void {
  const slices = scanInThread(bytes, limits, { parses: false })
  const first = slices.next()
  first.catch(() => {}) // thrown when it is awaited
  const all = async function* () {
    try {
      const { value, done } = await first
      if (done) return
      yield value
      yield* slices
    } finally {
      await slices.return(undefined)
    }
  }
  begun.set(bytes, all())
  return () => {
    if (begun.delete(bytes)) void slices.return(undefined).catch(() => {})
  }
}

/** The slices of a text that `beginScan` has begun to scan, or null. */
export function scanBegun(bytes: Uint8Array): AsyncGenerator<Scanned> | null {
  const slices = begun.get(bytes) ?? null
  begun.delete(bytes)
  return slices
}

/** Copies, since each piece is given to the thread. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    yield new Uint8Array(bytes.subarray(from, from + PIECE_BYTES))
}

/**
 * The slices of a text that comes in pieces, scanned in a thread one piece ahead of the caller; with `parses`, parsed there as
 * a check. Throws `ScanError`. The end of the current budget ends the thread too. The pieces can't be used afterwards.
 */
export async function* scanPieces(
  pieces: Iterable<Uint8Array<ArrayBuffer>> | AsyncIterable<Uint8Array<ArrayBuffer>>,
  limits: ScanLimits,
  { parses }: { parses: boolean },
): AsyncGenerator<Scanned> {
  const thread = ScanThread.take()
  let next: Promise<Scanned[]> | null = null
  const inTime = (asked: Promise<Scanned[]>) =>
    giveUpInTime(asked, currentBudget(), () => thread.end())
  const ask = (message: Message) => {
    next = thread.ask(message)
    next.catch(() => {}) // thrown when it is awaited
  }
  try {
    await inTime(thread.ask({ limits, parses }))
    for await (const piece of pieces) {
      const slices: Scanned[] = next ? await inTime(next) : []
      ask({ piece })
      yield* slices
    }
    const slices: Scanned[] = next ? await inTime(next) : []
    ask({})
    yield* slices
    if (next) yield* await inTime(next)
  } finally {
    if (!thread.isEnded) await (next as Promise<Scanned[]> | null)?.catch(() => {})
    thread.release()
  }
}
