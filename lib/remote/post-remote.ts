import type { IncomingMessage } from 'node:http'
import { AppError } from '@/lib/errors'
import { formatBytes } from '@/lib/values/format-bytes'
import { orAborted, pinnedRequest } from './pinned-request'
import { receiverGuard } from './receiver-guard'
import type { Answer, Outgoing, Question, RemoteResponse } from './remote'

/** For all of it, from the name that is resolved to the last byte that is read. */
const TIMEOUT_MS = 15_000
/** What is read of a response. */
const MAX_RESPONSE_BYTES = 4096

type Options = {
  /** `host:port` of receivers that need not be on the internet, nor use TLS. */
  allowedHosts?: readonly string[] | undefined
  timeoutMs?: number | undefined
}

/** What may be sent to, and sending it: nothing is redirected, and of a response only the beginning is read. */
export function postRemote({ allowedHosts = [], timeoutMs = TIMEOUT_MS }: Options) {
  const { read, resolve } = receiverGuard(allowedHosts)
  return {
    checkReceiver: async (address: string): Promise<void> => {
      const url = read(address)
      const signal = AbortSignal.timeout(timeoutMs)
      await orAborted(resolve(url), signal).catch((error: unknown) => {
        // A name may be unknown for now.
        if (error instanceof AppError && error.code === 'invalid_input') throw error
      })
    },
    post: async (address: string, { headers, body, begins, answered }: Outgoing) => {
      const url = read(address)
      const signal = AbortSignal.timeout(timeoutMs)
      const translated = (error: unknown) => Promise.reject(translate(error, signal, timeoutMs))
      const addresses = await orAborted(resolve(url), signal).catch(translated)
      if (begins && !(await begins())) return null
      return pinnedRequest(url, addresses, { headers, body, signal }).then((response) => {
        answered?.(response.statusCode ?? 0)
        return received(response)
      }, translated)
    },
    ask: async (address: string, { maxBytes, timeoutMs, ...question }: Question) => {
      const url = read(address)
      const limit = AbortSignal.timeout(timeoutMs)
      const signal = AbortSignal.any([limit, question.signal])
      try {
        const addresses = await orAborted(resolve(url), signal)
        return await whole(await pinnedRequest(url, addresses, { ...question, signal }), maxBytes)
      } catch (error) {
        question.signal.throwIfAborted()
        throw translate(error, limit, timeoutMs)
      }
    },
  }
}

async function received(response: IncomingMessage): Promise<RemoteResponse> {
  const { statusCode = 0, headers } = response
  const body = await readBeginning(response)
  return { status: statusCode, retryAfter: headers['retry-after'] ?? null, body }
}

async function whole(response: IncomingMessage, maxBytes: number): Promise<Answer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk as Buffer)
    bytes += (chunk as Buffer).length
    if (bytes <= maxBytes) continue
    response.destroy()
    const most = formatBytes(maxBytes)
    throw new AppError('upstream_failed', `The answer is longer than ${most}`)
  }
  const { statusCode = 0, headers } = response
  return { status: statusCode, headers, body: Buffer.concat(chunks) }
}

/** The status has decided by now: a body that breaks off, or never ends, is read as far as it came. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes >= MAX_RESPONSE_BYTES) break
    }
  } catch {}
  response.destroy()
  const text = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString('utf8')
  return text.replaceAll('\0', '\ufffd') // which PostgreSQL can't store
}

function translate(cause: unknown, { aborted }: AbortSignal, timeoutMs: number): AppError {
  if (cause instanceof AppError) return cause
  const within = `${timeoutMs / 1000} seconds`
  if (aborted) return new AppError('upstream_timeout', `No response within ${within}`, { cause })
  const { code } = cause as { code?: unknown }
  const why = typeof code === 'string' ? ` (${code})` : ''
  return new AppError('upstream_failed', `The receiver could not be reached${why}`, { cause })
}
