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
    const body: unknown = await response.json().catch(() => null)
    if (typeof body === 'object' && body !== null) return body as Body
    throw new Failure(`${this.base}${path} is not an engine: its response is no JSON object`)
  }

  async bytes(path: string, call: Call = {}): Promise<{ bytes: Uint8Array; fileName?: string }> {
    const response = await this.send(path, call)
    const disposition = response.headers.get('content-disposition') ?? ''
    const fileName = /filename="?([^";]+)"?/.exec(disposition)?.[1]
    return { bytes: new Uint8Array(await response.arrayBuffer()), fileName }
  }

  /** All items of a list that comes in pages. */
  async all<T>(path: string, query: Call['query'] = {}): Promise<T[]> {
    const items: T[] = []
    for (let page = 0; ; page++) {
      const asked = { size: '1000', ...query, page: String(page) }
      const { data, pagination } = (await this.json(path, { query: asked })) as Page<T>
      items.push(...data)
      if (!pagination || pagination.last || data.length === 0) return items
    }
  }

  private async send(path: string, { method = 'GET', query = {}, body }: Call): Promise<Response> {
    const sent = Object.entries(query).filter((one): one is [string, string] => one[1] != null)
    const asked = sent.length > 0 ? `?${new URLSearchParams(sent)}` : ''
    const { signal } = this.io
    const headers = new Headers({ authorization: `Bearer ${this.key}` })
    if (typeof body === 'string') headers.set('content-type', 'application/json')
    const response = await fetch(this.base + path + asked, { method, headers, body, signal }).catch(
      (error: unknown) => {
        throw new Failure(`${this.base} does not respond: ${reasonOf(error)}`, EXIT.unreachable)
      },
    )
    if (!response.ok) throw await refusal(response)
    return response
  }
}

type Page<T> = { data: T[]; pagination?: { last: boolean } }

const unset = (name: string, what: string) =>
  new Failure(`Set ${name} in the environment: ${what}`, EXIT.usage)

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}

type Refusal = { error?: string; validations?: { field: string; error: string }[]; data?: unknown }

async function refusal(response: Response): Promise<Failure> {
  const { status } = response
  const body = (await response.json().catch(() => ({}))) as Refusal
  const { error = `The server responded ${status}`, validations = [], data } = body ?? {}
  const lines = validations.map(({ field, error }) => `  ${field}: ${error}`)
  return new Failure([error, ...lines].join('\n'), EXIT.failed, { status, validations }, data)
}
