import { createServer, type RequestListener } from 'node:http'
import { afterEach } from 'vitest'
import type { Deps } from '@/lib/deps'
import { parseEnv } from '@/lib/env'
import { makeIndex } from '@/lib/plugin-index/make-index'
import { archiveOf } from '@/lib/testing/archive'
import { listen } from '@/lib/testing/listen'
import { call } from '@/lib/testing/request'
import { GET } from '../index/route'
import { POST } from '../install/index/route'
import { historyOf } from './plugin-api'

type Files = Record<string, unknown>
/** What is served at a path; a listener answers by itself. */
type Content = Uint8Array | string | RequestListener

/** A web server with an index on this machine, which is that of the server under test. */
export type Site = {
  host: string
  /** By path; what is not there is a 404. */
  served: Map<string, Content>
  /** The paths that were asked for, in their order. */
  asked: string[]
  /** Serves archives and an index that lists them; `change` makes another index of it. */
  publish: (archives: Record<string, Files>, change?: (index: Listed) => unknown) => Promise<void>
}

type Listed = Awaited<ReturnType<typeof makeIndex>>

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

export async function openSite(deps: Deps): Promise<Site> {
  const site: Site = {
    host: '',
    served: new Map(),
    asked: [],
    publish: async (archives, change = (index) => index) => {
      const found = []
      for (const [url, files] of Object.entries(archives)) {
        const bytes = await archiveOf(files)
        site.served.set(`/${url}`, bytes)
        found.push({ url, load: async () => bytes })
      }
      const index = await makeIndex(found, parseEnv({}), { name: 'Acme', former: null })
      site.served.set('/index.json', JSON.stringify(change(index)))
    },
  }
  const server = await listen(
    createServer((request, response) => {
      const path = request.url ?? ''
      site.asked.push(path)
      const content = site.served.get(path)
      if (typeof content === 'function') return content(request, response)
      response.writeHead(content === undefined ? 404 : 200).end(content)
    }),
  )
  closing.push(server.close)
  site.host = `127.0.0.1:${server.port}`
  setIndex(deps, `http://${site.host}/index.json`)
  return site
}

export function setIndex(deps: Deps, address: string | undefined, allowed: string[] = []): void {
  const settings = { PLUGIN_INDEX_URL: address, OUTGOING_ALLOWED_HOSTS: allowed }
  deps.settings = { ...deps.settings, ...settings }
}

export const available = (deps: Deps, query = '', as: string | string[] = 'ADMIN') =>
  call(deps, GET, { path: `/api/plugins/index${query}`, as })

/** What an install from the index is answered, with what is in the history. */
export async function installed(deps: Deps, body: object, query = '', as = 'ADMIN') {
  const path = `/api/plugins/install/index${query}`
  const {
    status,
    body: answer,
    headers,
  } = await call(deps, POST, { method: 'POST', path, body, as })
  const history = answer.data?.history ? await historyOf(deps, answer.data.history) : null
  const { error, meta } = answer
  return { status, error, meta, history, plan: answer.data?.plan, data: answer.data, headers }
}
