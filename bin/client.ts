import { EXIT, Failure } from './failure'
import type { Io } from './io'

type Call = { method?: string; query?: Record<string, string | undefined>; body?: BodyInit }
type Body = Record<string, unknown>

/** Calls the API of the engine at `ENGINE_URL` with `ENGINE_API_KEY`. */
export class Client {
  private readonly base: string
  private readonly key: string

  /** Throws `Failure` when a setting is missing. */
  constructor(private readonly io: Io) {
    const { ENGINE_URL, ENGINE_API_KEY } = io.env
    if (!ENGINE_URL) throw unset('ENGINE_URL', 'the address of the engine, http://localhost:3000')
    if (!ENGINE_API_KEY) throw unset('ENGINE_API_KEY', 'an API key of an administrator')
    if (!URL.canParse(ENGINE_URL))
      throw new Failure(`ENGINE_URL is no address: ${ENGINE_URL}`, EXIT.usage)
    this.base = ENGINE_URL.replace(/\/+$/, '')
    this.key = ENGINE_API_KEY
  }

  /** The JSON of a response. Throws `Failure` with the server's message for an error. */
  async json(path: string, call: Call = {}): Promise<Body> {
    const response = await this.send(path, call)
    const body = asJson(await this.read(response, MAX_JSON_BYTES))
    if (isObject(body)) return body
    throw this.notEngine(path, 'its response is no JSON object')
  }

  async bytes(path: string, call: Call = {}): Promise<{ bytes: Uint8Array; fileName?: string }> {
    const response = await this.send(path, call)
    const disposition = response.headers.get('content-disposition') ?? ''
    const fileName = /filename="?([^";]+)"?/.exec(disposition)?.[1]
    return { bytes: await this.read(response, MAX_FILE_BYTES), fileName }
  }

  /** All items of a list that comes in pages. */
  async all<T>(path: string, query: Call['query'] = {}): Promise<T[]> {
    const items: T[] = []
    for (let page = 0; page < MAX_PAGES; page++) {
      const asked = { size: '1000', ...query, page: String(page) }
      const { data, pagination } = await this.json(path, { query: asked })
      if (!Array.isArray(data) || !data.every(isObject))
        throw this.notEngine(path, 'its response is no list')
      items.push(...(data as T[]))
      if (!isObject(pagination) || pagination.last || data.length === 0) return items
    }
    throw this.notEngine(path, `its list has more than ${MAX_PAGES} pages`)
  }

  private async send(path: string, { method = 'GET', query = {}, body }: Call): Promise<Response> {
    const sent = Object.entries(query).filter((one): one is [string, string] => one[1] != null)
    const asked = sent.length > 0 ? `?${new URLSearchParams(sent)}` : ''
    const { signal } = this.io
    const headers = new Headers({ authorization: `Bearer ${this.key}` })
    if (typeof body === 'string') headers.set('content-type', 'application/json')
    const url = this.base + path + asked
    // Another address would get what is sent, and its answers would count as this server's.
    const response = await fetch(url, {
      ...{ method, headers, body, signal },
      redirect: 'manual',
    }).catch((error: unknown) => {
      throw this.away(error)
    })
    if (response.ok) return response
    const { status } = response
    const to = response.headers.get('location')
    if (status >= 300 && status < 400 && to !== null)
      throw new Failure(`${this.base} redirects to ${to}: use the address of the engine itself`)
    throw refusal(status, asJson(await this.read(response, MAX_JSON_BYTES)))
  }

  /** The body of a response. Throws `Failure` for more bytes than these, and when it ends too early or not in time. */
  private async read({ body }: Response, maxBytes: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let size = 0
    const end = Date.now() + MAX_BODY_MS
    const tooLong = new Failure(`The response of ${this.base} is longer than ${maxBytes} bytes`)
    try {
      for await (const chunk of body ?? []) {
        size += chunk.length
        if (size > maxBytes) throw tooLong
        // Silence ends by itself after five minutes; a byte now and then would not.
        if (Date.now() > end) throw new Error('its response does not end')
        chunks.push(chunk)
      }
    } catch (error) {
      throw error === tooLong ? error : this.away(error)
    }
    return Buffer.concat(chunks)
  }

  private away(error: unknown): Failure {
    return new Failure(`${this.base} does not respond: ${reasonOf(error)}`, EXIT.unreachable)
  }

  /** For a response that is not as those of an engine are. */
  notEngine(path: string, why: string): Failure {
    return new Failure(`${this.base}${path} is not an engine: ${why}`)
  }
}

/** What a command keeps in memory. */
const MAX_JSON_BYTES = 64 * 1024 ** 2
const MAX_FILE_BYTES = 1024 ** 3
const MAX_PAGES = 10_000
const MAX_BODY_MS = 30 * 60_000

function asJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null

const unset = (name: string, what: string) =>
  new Failure(`Set ${name} in the environment: ${what}`, EXIT.usage)

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}

type Refusal = { error?: string; validations?: { field: string; error: string }[]; data?: unknown }

function refusal(status: number, body: unknown): Failure {
  const { error = `The server responded ${status}`, validations = [], data } = asRefusal(body)
  const lines = validations.map(({ field, error }) => `  ${field}: ${error}`)
  return new Failure([error, ...lines].join('\n'), EXIT.failed, { status, validations }, data)
}

const asRefusal = (body: unknown): Refusal => (isObject(body) ? body : {})
