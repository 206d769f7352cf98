import type { LookupAddress } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { AppError } from '@/lib/errors'
import { orAborted, pinnedRequest } from './pinned-request'
import { postRemote } from './post-remote'
import { receiverGuard } from './receiver-guard'
import type { Opening, Remote, RemoteFile } from './remote'
import { isPublicAddress, readAddress, refused, resolveHost } from './resolve-host'

const MAX_REDIRECTS = 3
/** For all of it, from the first name that is resolved to the last byte. */
const TIMEOUT_MS = 20_000
const AT_ONCE = 8

type Options = {
  /** Which IP addresses may be connected to. */
  isAllowed?: (address: string) => boolean
  timeoutMs?: number
  /** `host:port` of receivers that need not be on the internet, nor use TLS. */
  allowedHosts?: readonly string[]
}

/** Servers on the public internet, over HTTP and HTTPS. */
export function openRemote(options: Options = {}): Remote {
  const { isAllowed = isPublicAddress, timeoutMs = TIMEOUT_MS } = options
  let loading = 0
  return {
    ...postRemote(options),
    open: async (address, opening = {}) => {
      if (loading >= AT_ONCE) throw busy()
      const ended = new AbortController()
      const signal = AbortSignal.any([
        ended.signal,
        AbortSignal.timeout(opening.timeoutMs ?? timeoutMs),
      ])
      loading++
      signal.addEventListener('abort', () => loading--, { once: true })
      const close = () => ended.abort()
      try {
        return await load(address, wayOf(opening, isAllowed), signal, close)
      } catch (error) {
        const translated = translate(error, signal)
        close()
        throw translated
      }
    },
  }
}

type Way = ReturnType<typeof receiverGuard> & { accept: string }

/** Which addresses are connected to, and what is asked for. */
function wayOf(
  { accept = 'image/*', secureBut }: Opening,
  isAllowed: (address: string) => boolean,
): Way {
  if (secureBut) return { ...receiverGuard(secureBut), accept }
  return { read: readAddress, resolve: (url) => resolveHost(url, isAllowed), accept }
}

async function load(
  address: string,
  { read, resolve, accept }: Way,
  signal: AbortSignal,
  close: () => void,
): Promise<RemoteFile> {
  let url = read(address)
  for (let redirects = 0; ; redirects++) {
    const addresses = await orAborted(resolve(url), signal)
    const response = await requestFile(url, addresses, signal, accept)
    const next = redirectOf(response, url)
    if (!next) return { ...fileOf(response, url, signal), close }
    response.destroy()
    if (redirects === MAX_REDIRECTS) throw refused(`Redirects more than ${MAX_REDIRECTS} times`)
    url = read(next)
  }
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): string | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return null
  if (!URL.canParse(headers.location, from)) throw refused('Redirects to an invalid address')
  return new URL(headers.location, from).href
}

function fileOf(
  response: IncomingMessage,
  url: URL,
  signal: AbortSignal,
): Omit<RemoteFile, 'close'> {
  const { statusCode = 0, headers } = response
  if (statusCode !== 200) {
    response.destroy()
    const message = `The address could not be loaded: its server responded with ${statusCode}`
    throw new AppError('upstream_failed', message)
  }
  const stated = headers['content-length']
  return {
    name: nameOf(url),
    bytes: stated === undefined ? null : Number(stated),
    body: bodyOf(response, signal),
  }
}

async function* bodyOf(response: IncomingMessage, signal: AbortSignal): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of response) yield chunk as Uint8Array
  } catch (error) {
    throw translate(error, signal)
  }
}

function nameOf({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

function translate(cause: unknown, { aborted, reason }: AbortSignal): AppError {
  if (cause instanceof AppError) return cause
  if (aborted && (reason as Error).name === 'TimeoutError')
    return new AppError('upstream_timeout', 'The address did not respond in time; try again', {
      cause,
    })
  const message = 'The address could not be loaded; check it and try again'
  return new AppError('upstream_failed', message, { cause })
}

const busy = () =>
  new AppError('unavailable', 'Too many addresses are being loaded; try again in a moment', {
    retryAfter: 5,
  })

/** Nothing of the caller is sent. */
const HEADERS = { 'Accept-Encoding': 'identity', 'User-Agent': 'Engine' }

/** Requests a URL from one of `addresses`, whatever its host name means by now. */
export const requestFile = (
  url: URL,
  addresses: LookupAddress[],
  signal: AbortSignal,
  accept = 'image/*',
): Promise<IncomingMessage> =>
  pinnedRequest(url, addresses, { headers: { ...HEADERS, Accept: accept }, signal })
