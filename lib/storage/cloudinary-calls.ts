import { handleWhen, retry, TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel'
import { AppError } from '@/lib/errors'

/** For one attempt, from the first byte sent to the last one read. */
export const TIMEOUT_MS = 15_000

/**
 * Calls Cloudinary, and retries once after a failure that may be temporary. Throws
 * `upstream_timeout` when it did not respond in time, else `upstream_failed`; only the cause has
 * Cloudinary's message.
 */
export async function askCloudinary<T>(call: () => Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  // The SDK's timeout is for an idle socket: a response that trickles in would never end.
  const attempt = timeout(timeoutMs, TimeoutStrategy.Aggressive)
  try {
    return await onceMore.execute(() => attempt.execute(call))
  } catch (error) {
    throw translate(error)
  }
}

const onceMore = retry(handleWhen(mayPass), { maxAttempts: 1 })

type SdkError = { message?: unknown; name?: unknown; http_code?: unknown; error?: SdkError }

/** The SDK throws plain objects, some of them wrapped in `error`. */
function describe(thrown: unknown): { message: string; name: string; status: number } {
  const outer = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as SdkError
  const { message, name, http_code: status } = outer.error ?? outer
  return {
    message: String(message ?? 'unknown failure').slice(0, 300),
    name: String(name ?? ''),
    status: typeof status === 'number' ? status : 0,
  }
}

/** A refusal would be repeated; a failure of the network may be temporary. */
function mayPass(thrown: unknown): boolean {
  const { status } = describe(thrown)
  return status < 400 || status >= 499
}

function translate(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const { message, name, status } = describe(thrown)
  const cause = new Error(`Cloudinary: ${message} (${name || 'no name'}, status ${status})`)
  if (thrown instanceof TaskCancelledError || name === 'TimeoutError')
    return new AppError(
      'upstream_timeout',
      'The image storage did not respond in time; try again',
      {
        cause,
      },
    )
  if (status === 420 || status === 429)
    return new AppError('upstream_failed', 'The image storage is at its rate limit; try later', {
      retryAfter: 60,
      cause,
    })
  const refused = status >= 400 && status < 499
  const what = refused ? 'refused the request; its settings may be wrong' : 'failed; try again'
  return new AppError('upstream_failed', `The image storage ${what}`, { cause })
}
