import { AppError } from '@/lib/errors'

export type Body = ReadableStreamDefaultReader<Uint8Array>

/** The slowest acceptable line: 50 MiB in two hours. */
const MIN_BYTES_PER_MS = 8

/**
 * Reads a body that must make progress: data within `timeoutMs`, and after that time at least 8 KB
 * a second on average. Only time spent waiting for the client counts. So a slow upload can succeed,
 * while one that stalls does not hold a connection.
 */
export class BodyPace {
  #received = 0
  #waitedMs = 0

  constructor(readonly timeoutMs: number) {}

  /** The next bytes; throws `request_timeout`, and `invalid_input` when the client has left. */
  async read(body: Body): Promise<ReadableStreamReadResult<Uint8Array>> {
    const startedAt = performance.now()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooSlow()), this.#msLeft())
    })
    try {
      const result = await Promise.race([body.read().catch(interrupted), late])
      this.#received += result.value?.length ?? 0
      return result
    } finally {
      clearTimeout(timer)
      this.#waitedMs += performance.now() - startedAt
    }
  }

  #msLeft(): number {
    const allowedMs = this.timeoutMs + this.#received / MIN_BYTES_PER_MS
    return Math.max(0, Math.min(this.timeoutMs, allowedMs - this.#waitedMs))
  }
}

const interrupted = (cause: unknown): never => {
  throw new AppError('invalid_input', 'The body was interrupted; send it again', { cause })
}

const tooSlow = () =>
  new AppError('request_timeout', 'The body arrived too slowly or is incomplete; send it again')
