import { mkdirSync, readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiHandler } from '@/lib/server/api-handler'
import { createEngineServer } from '@/lib/server/create-server'
import { databaseState } from '@/lib/testing/database-state'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { listen } from '@/lib/testing/listen'
import { testKey } from '@/lib/testing/request'
import { ALL_ROUTES } from './all-routes'
import { ROUTES } from './routes'

const deps = currentDeps()
/** Less than what follows: the body stands still for longer. */
const BODY_TIMEOUT_MS = 1_000
const CLIENTS_OF_A_ROUTE = 8
const MiB = 1024 * 1024

/** Refused where there are users, so it is tried before there are any. */
const OF_NEW_SERVERS = '/api/auth/restore'

/** Every route that takes a form with a file. */
const uploads = Object.entries(ROUTES).flatMap(([path, handlers]) =>
  Object.entries(handlers).flatMap(([method, handler]) =>
    handler?.spec?.upload ? [{ name: `${method} ${path}`, method, path }] : [],
  ),
)

let port: number
let close: () => void
beforeAll(async () => {
  const settings = { BODY_TIMEOUT_MS: String(BODY_TIMEOUT_MS) }
  const { settings: read } = await testDeps(settings)
  await installTestEntity(deps, { entity: { name: 'Thing' } }, [{}])
  const serveApi = apiHandler(ALL_ROUTES, read)
  ;({ port, close } = await listen(createEngineServer(read, { serveApi, servePage: serveApi })))
  mkdirSync(read.DATA_DIR, { recursive: true })
})
afterAll(() => close())

/** Files of uploads, wherever a route keeps them. */
const temporary = () =>
  readdirSync(deps.settings.DATA_DIR, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\bupload-[\w-]+$/.test(path),
  )

/** A client that has sent `bytes` of a file that is said to be larger. */
function begin({ method, path }: (typeof uploads)[0], key: string, bytes: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  const target = path.replace('[entityName]', 'Thing').replace(/\[\w+\]/, '1')
  const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\n${key}Content-Length: ${2 * MiB}\r\n`
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
  socket.write(`${head}Content-Type: multipart/form-data; boundary=b\r\n\r\n${part}`)
  if (bytes > 0) socket.write(Buffer.alloc(bytes, 'x'))
  return socket
}

const isOfNewServers = ({ path }: (typeof uploads)[0]) => path === OF_NEW_SERVERS

test.each([...uploads.filter(isOfNewServers), ...uploads.filter((one) => !isOfNewServers(one))])(
  '$name of clients that leave or stand still leaves nothing behind',
  async (route) => {
    const key = isOfNewServers(route)
      ? ''
      : `X-Engine-ApiKey: ${await testKey(deps, ['ADMIN'])}\r\n`
    const before = await databaseState(deps.db)
    const clients = Array.from({ length: CLIENTS_OF_A_ROUTE }, (_, at) =>
      begin(route, key, at * 100_000),
    )
    await expect.poll(temporary).not.toEqual([])
    const [leaving, standing] = [clients.slice(0, 4), clients.slice(4)]
    const answers = standing.map(async (socket) => {
      let text = ''
      for await (const chunk of socket) text += chunk
      return text
    })
    for (const socket of leaving) socket.resetAndDestroy()
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 408 /)
    await expect.poll(temporary).toEqual([])
    expect(await databaseState(deps.db)).toEqual(before)
  },
)

test('the routes that take files are known', () => {
  expect(uploads.length).toBeGreaterThanOrEqual(5)
})
