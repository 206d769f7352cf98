import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { signedFiles } from '@/lib/testing/signed-archive'
import { install } from '../testing/plugin-api'
import { available, openSite, type Site, setIndex } from '../testing/plugin-site'
import { acme, shop, trust } from '../testing/signed-shop'

const deps = freshDeps()
let site: Site
beforeEach(async () => {
  site = await openSite(deps)
})
afterEach(() => vi.useRealTimers())

const of = (version: string, more: object = {}) => {
  const files = shop(version)
  return { ...files, 'engineplugin.json': { ...(files['engineplugin.json'] as object), ...more } }
}
const TOYS = { id: 'com.example.toys', name: 'Toys', author: 'Zoe' }

test('plugins are listed beside what is installed, with the newest version that works here', async () => {
  const { keyId } = await trust(deps)
  await install(deps, of('1.9.0'))
  await site.publish({
    'a.zip': of('1.9.0'),
    'b.zip': await signedFiles(of('1.10.0', { changes: 'Half sizes' }), acme),
    'c.zip': of('2.0.0-beta'),
    'd.zip': of('3.0.0', { engine: '>=900' }),
    'e.zip': of('1.0.0', TOYS),
  })
  const { status, body } = await available(deps)
  expect(status).toBe(200)
  expect(body.meta).toMatchObject({ name: 'Acme', failure: null, updates: 1 })
  expect(body.pagination).toMatchObject({ total: 2, last: true })
  const [shoes, toys] = body.data
  expect(shoes).toMatchObject({
    ...{ id: 'com.example.shop', isInstalled: true, installedVersion: '1.9.0' },
    ...{ latest: '1.10.0', hasUpdate: true },
  })
  const named = shoes.versions.map((one: Record<string, unknown>) => [
    ...[one.version, one.isCompatible, one.publisher, one.changes],
  ])
  expect(named).toEqual([
    ['3.0.0', false, null, null],
    ['2.0.0-beta', true, null, null],
    ['1.10.0', true, 'Acme', 'Half sizes'],
    ['1.9.0', true, null, null],
  ])
  expect(shoes.versions[2]).toMatchObject({ keyId, bytes: expect.any(Number) })
  expect(shoes.versions[0]).not.toHaveProperty('url')
  expect(toys).toMatchObject({ isInstalled: false, installedVersion: null, hasUpdate: false })
})

test('it is searched, paged, and narrowed to what is newer than installed', async () => {
  await install(deps, of('1.0.0'))
  await site.publish({ 'a.zip': of('1.1.0'), 'b.zip': of('1.0.0', TOYS) })
  const found = async (query: string) =>
    (await available(deps, query)).body.data.map((one: { name: string }) => one.name)
  expect(await found('?q=zo')).toEqual(['Toys'])
  expect(await found('?q=COM.EXAMPLE')).toEqual(['Shop', 'Toys'])
  expect(await found('?q=nothing')).toEqual([])
  expect(await found('?updates=true')).toEqual(['Shop'])
  expect(await found('?size=1&page=1')).toEqual(['Toys'])
  await install(deps, of('1.1.0+local.1'))
  expect(await found('?updates=true')).toEqual([])
})

test('a pre-release is offered where one is installed, or nothing else is there', async () => {
  await site.publish({
    'a.zip': of('1.0.0'),
    'b.zip': of('1.1.0-rc.1'),
    'c.zip': of('1.0-a', TOYS),
  })
  const latest = async () =>
    (await available(deps)).body.data.map((one: { latest: string }) => one.latest)
  expect(await latest()).toEqual(['1.0.0', '1.0-a'])
  await install(deps, of('1.0.0-rc.1'))
  expect(await latest()).toEqual(['1.1.0-rc.1', '1.0-a'])
})

test('without the setting it is not found, and says which setting is missing', async () => {
  setIndex(deps, undefined)
  expect(await available(deps)).toMatchObject({
    ...{ status: 404, body: { error: expect.stringContaining('PLUGIN_INDEX_URL') } },
  })
})

describe('the index is kept', () => {
  const MINUTE = 60_000
  beforeEach(async () => {
    await site.publish({ 'a.zip': of('1.0.0') })
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)
  const asked = () => site.asked.length

  test('for five minutes, unless it is asked for again', async () => {
    await Promise.all([available(deps), available(deps), available(deps)])
    expect(asked()).toBe(1)
    pass(4 * MINUTE)
    await available(deps)
    expect(asked()).toBe(1)
    await available(deps, '?refresh=true')
    await available(deps, '?refresh=true')
    expect(asked()).toBe(2)
    pass(6 * MINUTE)
    await available(deps)
    expect(asked()).toBe(3)
  })

  test('while its address fails, with its time and the reason, and is not asked for at once again', async () => {
    const loadedAt = new Date().toISOString()
    await available(deps)
    site.served.delete('/index.json')
    pass(6 * MINUTE)
    for (const query of ['', '?updates=true']) {
      const { status, body } = await available(deps, query)
      expect([status, body.meta]).toEqual([
        200,
        expect.objectContaining({ loadedAt, failure: expect.stringContaining('404') }),
      ])
    }
    expect(asked()).toBe(2)
    pass(MINUTE)
    await site.publish({ 'a.zip': of('1.0.0') })
    expect((await available(deps)).body.meta).toMatchObject({ failure: null })
  })
})

describe('an index that can’t be had is refused with the reason', () => {
  const TOO_LARGE = Buffer.alloc(5 * 1024 * 1024 + 1, ' ')
  const refusal = async () => {
    const { status, body } = await available(deps)
    return [status, body.error]
  }
  const refuses = async (reason: RegExp, status = 502) =>
    expect(await refusal()).toEqual([status, expect.stringMatching(reason)])

  test('where it is missing, no index, or invalid', async () => {
    await refuses(/plugin index could not be loaded: .*404/)
    await refuses(/404/) // which is remembered for a while
    expect(site.asked).toHaveLength(1)
  })

  test.each<[string, RegExp]>([
    ['<html>secret</html>', /not valid: it is no JSON object$/],
    ['{"engineIndex":2,"plugins":[]}', /not valid: engineIndex/],
  ])('%s', async (text, reason) => {
    site.served.set('/index.json', text)
    await refuses(reason)
  })

  test('that is too large, whether its server says so or not', async () => {
    site.served.set('/index.json', TOO_LARGE)
    await refuses(/larger than 5 MiB/)
    setIndex(deps, `http://${site.host}/other.json`)
    site.served.set('/other.json', (_, response) => {
      response.writeHead(200).write(TOO_LARGE)
    })
    await refuses(/larger than 5 MiB/)
  })

  test.each([
    ['http://10.0.0.1/index.json', /https:\/\//],
    ['https://10.0.0.1/index.json', /public internet/],
    ['https://169.254.169.254/index.json', /public internet/],
    ['https://[::ffff:10.0.0.1]/index.json', /public internet/],
  ])('at the private address %s', async (address, reason) => {
    setIndex(deps, address)
    await refuses(reason)
  })

  test('that redirects to another host of this machine', async () => {
    const other = await openSite(deps)
    await other.publish({ 'a.zip': of('1.0.0') })
    setIndex(deps, `http://${site.host}/index.json`, [other.host])
    site.served.set('/index.json', (_, response) => {
      response.writeHead(302, { Location: `http://${other.host}/index.json` }).end()
    })
    await refuses(/https:\/\//)
    expect(other.asked).toEqual([])
  })
})
