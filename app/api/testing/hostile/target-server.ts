import { afterAll, beforeAll } from 'vitest'
import { apiHandler } from '@/lib/server/api-handler'
import { createEngineServer } from '@/lib/server/create-server'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { makeImage } from '@/lib/testing/images'
import { listen } from '@/lib/testing/listen'
import { hashPassword } from '@/lib/testing/password'
import { ALL_ROUTES } from '../../all-routes'
import { addAdministrator, browserOf, keyOf } from './credentials'
import { type Answer, send } from './send'
import { thingsForm } from './things'

const deps = currentDeps()
const SECRETS = { secret: 'a secret of this test, 32 characters', password: 'canary of a password' }

/** The server with an installed plugin and something of everything, so that hostile requests reach something. */
export function startTarget() {
  let port = 0
  let close = () => {}
  let administrator: Awaited<ReturnType<typeof addAdministrator>>
  const known: Record<string, string> = {}
  const texts: string[] = Object.values(SECRETS)

  beforeAll(async () => {
    const { settings } = await testDeps({ NEXTAUTH_SECRET: SECRETS.secret })
    const passwordHash = await hashPassword(SECRETS.password)
    texts.push(passwordHash)
    administrator = await addAdministrator(deps, passwordHash)
    const serveApi = apiHandler(ALL_ROUTES, settings)
    const server = createEngineServer(settings, { serveApi, servePage: serveApi })
    ;({ port, close } = await listen(server))
    await fill()
  })
  afterAll(() => close())

  /** New credentials of the administrator: a key, or a browser. */
  async function credentials(ofBrowser: boolean): Promise<Record<string, string>> {
    if (ofBrowser) return browserOf(deps, administrator)
    const { headers, hash } = await keyOf(deps, administrator)
    texts.push(hash)
    return headers
  }

  const ask = async (method: string, path: string, body?: unknown, more = {}) => {
    const headers = { ...(await credentials(false)), 'content-type': 'application/json', ...more }
    const sent = Buffer.isBuffer(body)
      ? body
      : body === undefined
        ? undefined
        : JSON.stringify(body)
    const answer = await send(port, { method, path, headers, body: sent })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return JSON.parse(answer.text)
  }

  /** Makes something of everything again, where it is gone. */
  async function fill(): Promise<void> {
    const { body, type } = await thingsForm()
    await ask('POST', '/api/plugins/install/zip', body, { 'content-type': type })
    const first = async (path: string) => (await ask('GET', path)).data[0]
    const create = async (path: string, input: unknown) => (await ask('POST', path, input)).data[0]
    const thing = async () => (await create('/api/entities/Thing', { name: 'a' })).persistenceId
    known.record = await thing()
    known.plugin = (await first('/api/plugins')).id
    known.install = String((await first('/api/plugins/history')).id)
    known.view = (
      await create('/api/views', { entity: 'Thing', name: crypto.randomUUID(), params: '' })
    ).id
    known.key = (await create('/api/api-keys', { name: 'key' })).id
    if (known.export) await ask('DELETE', `/api/exports/${known.export}`).catch(() => {})
    known.export = (await create('/api/entities/Thing/exports', {})).id
    const user = { email: `${crypto.randomUUID()}@example.com`, roles: ['VIEWER'], profile: {} }
    known.user = (await create('/api/users/init', user)).id
    const image = await imageForm()
    const uploaded = await ask('POST', '/api/images/upload', image.body, {
      'content-type': image.type,
    })
    known.image = uploaded.data[0].fileId
    known.file = new URL(uploaded.data[0].uri).pathname.split('/files/')[1] ?? ''
    const { data } = await ask('DELETE', `/api/entities/Thing/${await thing()}?undo=7d`)
    known.trash = data[0].batchId
  }

  return {
    deps,
    secrets: texts,
    credentials,
    fill,
    send: (sent: Parameters<typeof send>[1]): Promise<Answer> => send(port, sent),
    /** The value of a path parameter that names something. */
    knownOf: (path: string, name: string) => textOf(known, path, name),
  }
}

const BY_PREFIX: [RegExp, string][] = [
  [/^\/api\/entities/, 'record'],
  [/^\/api\/plugins\/history/, 'install'],
  [/^\/api\/plugins/, 'plugin'],
  [/^\/api\/views/, 'view'],
  [/^\/api\/api-keys/, 'key'],
  [/^\/api\/exports/, 'export'],
]
const BY_NAME: Record<string, string> = {
  userId: 'user',
  fileId: 'image',
  path: 'file',
  batchId: 'trash',
}

function textOf(known: Record<string, string>, path: string, name: string): string {
  if (name === 'entityName') return 'Thing'
  if (name === 'version') return '1'
  const kind = BY_NAME[name] ?? BY_PREFIX.find(([prefix]) => prefix.test(path))?.[1] ?? ''
  return known[kind] ?? crypto.randomUUID()
}

async function imageForm() {
  const png = await makeImage('png', { width: 4, height: 4 })
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), png, Buffer.from('\r\n--x--\r\n')])
  return { body, type: 'multipart/form-data; boundary=x' }
}
