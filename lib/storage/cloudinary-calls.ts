import type { v2 } from 'cloudinary'
import { handleWhen, retry, TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel'
import { z } from 'zod'
import { AppError } from '@/lib/errors'
import { type CloudinaryAccount, deliversFrom } from './cloudinary-account'
import type { ObjectFacts } from './storage'

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

let loaded: { protocol: string; sdk: Promise<typeof v2> } | undefined

/**
 * The SDK, for an API at `uploadPrefix`. It chooses between http and https once in a process, while
 * its modules are loaded, from its global configuration: so that is set first, and a second address
 * with another protocol is refused. All other options are passed with each call.
 */
export function loadCloudinary(uploadPrefix: string): Promise<typeof v2> {
  const { protocol } = new URL(uploadPrefix)
  loaded ??= { protocol, sdk: load(uploadPrefix) }
  if (loaded.protocol !== protocol)
    throw new Error(`The Cloudinary SDK speaks ${loaded.protocol} in this process already`)
  return loaded.sdk
}

async function load(uploadPrefix: string): Promise<typeof v2> {
  const { default: configure } = await import('cloudinary/lib/config.js')
  configure({ upload_prefix: uploadPrefix })
  const { v2 } = await import('cloudinary')
  return v2
}

const responseSchema = z.object({
  asset_id: z.string().min(1).max(255),
  public_id: z.string(),
  url: z.url(),
  secure_url: z.url(),
  bytes: z.number(),
  width: z.number(),
  height: z.number(),
  format: z.string(),
})

/**
 * Picks what a record needs from a response. Throws `upstream_failed` for a response of another
 * shape or of another object, or with an address outside the account: browsers load what is stored
 * here.
 */
export function readResponse(
  response: unknown,
  account: CloudinaryAccount,
  key: string,
): ObjectFacts {
  const parsed = responseSchema.safeParse(response)
  if (!parsed.success) throw unexpected(z.prettifyError(parsed.error))
  const { asset_id, public_id, url, secure_url, bytes, width, height, format } = parsed.data
  if (public_id !== key) throw unexpected(`"${key}" was stored as "${public_id}"`)
  if (!deliversFrom(account, secure_url)) throw unexpected(`secure_url is "${secure_url}"`)
  if (!deliversFrom(account, url.replace(/^http:/, 'https:')) && !deliversFrom(account, url))
    throw unexpected(`url is "${url}"`)
  return { assetId: asset_id, uri: url, secureUri: secure_url, bytes, width, height, format }
}

export const unexpected = (what: string) =>
  new AppError('upstream_failed', 'The image storage sent an unexpected response', {
    cause: new Error(`Cloudinary: ${what.slice(0, 500)}`),
  })
